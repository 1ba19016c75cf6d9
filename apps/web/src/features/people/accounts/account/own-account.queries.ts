import type { ChangeAccount, ChangePassword } from '@docket/api-types/accounts'
import { queryOptions } from '@tanstack/react-query'
import { makePasskey } from '#features/people/accounts/webauthn.ts'
import { get, patch, post, remove } from '#lib/api/api.ts'
import { useWrite } from '#ui/live/use-write.ts'

export const ownSessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: ({ signal }) => get('/api/account/sessions', { signal }),
})

export const passkeysQuery = queryOptions({
  queryKey: ['account', 'passkeys'],
  queryFn: ({ signal }) => get('/api/account/passkeys', { signal }),
})

const keys = ['account', 'session']

export const useChangeAccount = () => useWrite(keys, (body: ChangeAccount) => patch('/api/account', { body }))

/** Chooses a password; every other session ends. */
export const useChangePassword = () => useWrite(keys, (body: ChangePassword) => post('/api/account/password', { body }))

const toProofBody = (password: string) => (password === '' ? {} : { password })

/** Starts to set up an authenticator app. Sign-in asks for it only after `useConfirmSecondFactor`. */
export const useBeginSecondFactor = () =>
  useWrite(keys, (password: string) => post('/api/account/second-factor/begin', { body: toProofBody(password) }))

export const useConfirmSecondFactor = () =>
  useWrite(keys, (code: string) => post('/api/account/second-factor/confirm', { body: { code } }))

export const useRemoveSecondFactor = () =>
  useWrite(keys, (password: string) => post('/api/account/second-factor/remove', { body: toProofBody(password) }))

export const useAddPasskey = () =>
  useWrite(keys, async ({ name, password }: { name: string; password: string }) => {
    const options = await post('/api/account/passkeys/options', { body: toProofBody(password) })
    await post('/api/account/passkeys', { body: { name, response: await makePasskey(options) } })
  })

export const useRemovePasskey = () =>
  useWrite(keys, (passkeyId: string) => remove('/api/account/passkeys/{passkeyId}', { params: { passkeyId } }))

/** Ends one session, or every other one with null. */
export const useEndSession = () =>
  useWrite(keys, (sessionId: string | null) =>
    sessionId === null
      ? remove('/api/account/sessions')
      : remove('/api/account/sessions/{sessionId}', { params: { sessionId } }),
  )
