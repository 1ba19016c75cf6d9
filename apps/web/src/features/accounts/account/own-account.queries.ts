import type { AccountSessionList, ChangeAccount, PasskeyList, WebAuthnJson } from '@docket/api-types/accounts'
import type { BackupCodes, ChangePassword, SecondFactorSetup } from '@docket/api-types/accounts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { get, patch, post, remove } from '#lib/api.ts'
import { makePasskey } from '#features/accounts/webauthn.ts'

/** Where one is signed in. */
export const ownSessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: ({ signal }) => get<AccountSessionList>('/api/account/sessions', signal),
})

/** One's passkeys. */
export const passkeysQuery = queryOptions({
  queryKey: ['account', 'passkeys'],
  queryFn: ({ signal }) => get<PasskeyList>('/api/account/passkeys', signal),
})

const useWrite = <In, Out>(write: (input: In) => Promise<Out>) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: write,
    onSuccess: () => Promise.all(['account', 'session'].map((name) => client.invalidateQueries({ queryKey: [name] }))),
  })
}

/** Changes name or address. */
export const useChangeAccount = () => useWrite((change: ChangeAccount) => patch('/api/account', change))

/** Chooses a password; every other session ends. */
export const useChangePassword = () => useWrite((change: ChangePassword) => post('/api/account/password', change))

/** Begins to set an authenticator app up. Nothing is asked for at sign-in until `useConfirmSecondFactor`. */
export const useBeginSecondFactor = () =>
  useWrite((password: string) =>
    post<SecondFactorSetup>('/api/account/second-factor/begin', password === '' ? {} : { password }),
  )

/** Turns the second factor on with a first code of the app. */
export const useConfirmSecondFactor = () =>
  useWrite((code: string) => post<BackupCodes>('/api/account/second-factor/confirm', { code }))

/** Turns the second factor off. */
export const useRemoveSecondFactor = () =>
  useWrite((password: string) => post('/api/account/second-factor/remove', password === '' ? {} : { password }))

/** Has the browser make a passkey, and keeps it. */
export const useAddPasskey = () =>
  useWrite(async ({ name, password }: { name: string; password: string }) => {
    const proof = password === '' ? {} : { password }
    const options = await post<WebAuthnJson>('/api/account/passkeys/options', proof)
    await post('/api/account/passkeys', { name, response: await makePasskey(options) })
  })

/** Takes a passkey away. */
export const useRemovePasskey = () => useWrite((passkeyId: string) => remove(`/api/account/passkeys/${passkeyId}`))

/** Ends one session, or with null every other one. */
export const useEndSession = () =>
  useWrite((sessionId: string | null) => remove(`/api/account/sessions${sessionId === null ? '' : `/${sessionId}`}`))
