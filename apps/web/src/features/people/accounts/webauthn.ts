import type { WebAuthnJson } from '@docket/api-types/accounts'
import { isOwnName } from '#lib/address/own-address.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { post } from '#lib/api/api.ts'

const passkeyError = (message: string) => new ApiError('invalid_request', message, {})

export const noPasskeys = 'This browser can’t use passkeys here. They need HTTPS, or Docket on this computer.'

export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function'

const askForCredential = async (find: () => Promise<Credential | null>): Promise<PublicKeyCredential> => {
  let found: Credential | null
  try {
    found = await find()
  } catch (error) {
    if (error instanceof DOMException && error.name === 'InvalidStateError')
      throw passkeyError('This device already has a passkey for your account.')
    throw passkeyError(
      `No passkey was used. It was cancelled, timed out, or none exists for this address.${isOwnName() ? ' A passkey added at localhost doesn’t work here. Sign in another way, then add a new one on the page of your account.' : ''}`,
    )
  }
  if (!(found instanceof PublicKeyCredential)) throw passkeyError('The browser returned no passkey. Try again.')
  return found
}

/** Signs in with a passkey that the browser offers. Rejects with `ApiError`. */
export const signInWithPasskey = async (): Promise<void> => {
  if (!hasPasskeys()) throw passkeyError(noPasskeys)
  const options = await post('/api/auth/passkey/options')
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  )
  const found = await askForCredential(() => navigator.credentials.get({ publicKey }))
  await post('/api/auth/passkey/sign-in', { body: { ...found.toJSON() } })
}

/** Creates a passkey from the server's `options`; returns the response for the server. Rejects with `ApiError`. */
export const makePasskey = async (options: WebAuthnJson): Promise<WebAuthnJson> => {
  if (!hasPasskeys()) throw passkeyError(noPasskeys)
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  )
  const created = await askForCredential(() => navigator.credentials.create({ publicKey }))
  return { ...created.toJSON() }
}
