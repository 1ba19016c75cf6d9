import type { ChangeAccount, ChangePassword } from '@docket/api-types/accounts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { get, patch, post, remove } from '#lib/api/api.ts'
import { useRemoval } from '#ui/overlays/use-removal.ts'
import { makePasskey } from '#features/people/accounts/webauthn.ts'

/** Sessions of the reader. */
export const ownSessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: ({ signal }) => get('/api/account/sessions', { signal }),
})

/** Passkeys of the reader. */
export const passkeysQuery = queryOptions({
  queryKey: ['account', 'passkeys'],
  queryFn: ({ signal }) => get('/api/account/passkeys', { signal }),
})

/** What the pages of an account, and the shell, know of the reader. */
const names = ['account', 'session']

const useWrite = <In, Out>(write: (input: In) => Promise<Out>) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: write,
    onSuccess: () => Promise.all(names.map((name) => client.invalidateQueries({ queryKey: [name] }))),
  })
}

/** Changes name or address. */
export const useChangeAccount = () => useWrite((body: ChangeAccount) => patch('/api/account', { body }))

/** Chooses a password; every other session ends. */
export const useChangePassword = () => useWrite((body: ChangePassword) => post('/api/account/password', { body }))

const proof = (password: string) => (password === '' ? {} : { password })

/** Begins to set up an authenticator app. Sign-in asks for it only after `useConfirmSecondFactor`. */
export const useBeginSecondFactor = () =>
  useWrite((password: string) => post('/api/account/second-factor/begin', { body: proof(password) }))

/** Turns the second factor on with a first code of the app. */
export const useConfirmSecondFactor = () =>
  useWrite((code: string) => post('/api/account/second-factor/confirm', { body: { code } }))

/** Turns the second factor off. */
export const useRemoveSecondFactor = () =>
  useWrite((password: string) => post('/api/account/second-factor/remove', { body: proof(password) }))

/** Creates and registers a passkey. */
export const useAddPasskey = () =>
  useWrite(async ({ name, password }: { name: string; password: string }) => {
    const options = await post('/api/account/passkeys/options', { body: proof(password) })
    await post('/api/account/passkeys', { body: { name, response: await makePasskey(options) } })
  })

export const useRemovePasskey = () =>
  useRemoval(names, (passkeyId: string) => remove('/api/account/passkeys/{passkeyId}', { params: { passkeyId } }))

/** Ends one session, or every other one with null. */
export const useEndSession = () =>
  useRemoval(names, (sessionId: string | null) =>
    sessionId === null
      ? remove('/api/account/sessions')
      : remove('/api/account/sessions/{sessionId}', { params: { sessionId } }),
  )
