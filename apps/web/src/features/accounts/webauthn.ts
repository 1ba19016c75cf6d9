import type { WebAuthnJson } from '@docket/api-types/accounts'
import { ApiError } from '#lib/api-error.ts'
import { post } from '#lib/api.ts'
import { isOwnName } from '#lib/own-address.ts'

const refused = (message: string) => new ApiError('invalid_request', message, {})

const noPasskeys = 'This browser has no passkeys for this page. They need https, or Docket on this machine.'

/** True when this page can use passkeys. */
export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function'

const ask = async (find: () => Promise<Credential | null>): Promise<PublicKeyCredential> => {
  if (!hasPasskeys()) throw refused(noPasskeys)
  let found: Credential | null
  try {
    found = await find()
  } catch (error) {
    if (error instanceof DOMException && error.name === 'InvalidStateError')
      throw refused('This device already holds a passkey of this account.')
    throw refused(
      `No passkey was used: it was cancelled, took too long, or there is none for this address.${isOwnName() ? ' A passkey added at localhost does not work here: sign in another way, then add a new one in your account settings.' : ''}`,
    )
  }
  if (!(found instanceof PublicKeyCredential)) throw refused('The browser gave no passkey.')
  return found
}

/** Signs in with a passkey that the browser offers. Rejects with `ApiError`. */
export const signInWithPasskey = async (): Promise<void> => {
  if (!hasPasskeys()) throw refused(noPasskeys)
  const options = await post('/api/auth/passkey/options')
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  )
  const found = await ask(() => navigator.credentials.get({ publicKey }))
  await post('/api/auth/passkey/sign-in', { body: { ...found.toJSON() } })
}

/** Creates a passkey from the server's `options`; returns the response for the server. Rejects with `ApiError`. */
export const makePasskey = async (options: WebAuthnJson): Promise<WebAuthnJson> => {
  if (!hasPasskeys()) throw refused(noPasskeys)
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  )
  const created = await ask(() => navigator.credentials.create({ publicKey }))
  return { ...created.toJSON() }
}
