import type { SignedOut } from '@docket/api-types/accounts'
import type { Session } from '@docket/api-types/session'
import { replaceEntry } from '#lib/address/history-entry.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { clearResponses, post, remove } from '#lib/api/api.ts'
import { forgetVisitor } from '#lib/people/visitor.ts'
import { createStore } from '#lib/state/store.ts'
import { toastFailure } from '#ui/messages/toast.ts'

/** `asks`: a sign-out needs a confirmation. `open`: the question is on screen. */
export const signOutQuestion = createStore({ asks: false, open: false })

/** True for an admin who could only sign in again with a new link from the terminal. */
export const needsNewLink = ({ person, methods }: Session): boolean =>
  person?.role === 'admin' && !person.hasPassword && person.passkeys === 0 && methods.oidc === null

const leaveToSignIn = ({ url }: SignedOut) => {
  clearResponses()
  forgetVisitor()
  replaceEntry(null)
  location.replace(url ?? '/sign-in')
}

/** A replica of 1.0.0 doesn't know the provider's way out. */
const signOutAtOldReplica = async (error: unknown): Promise<SignedOut> => {
  if (!(error instanceof ApiError && error.code === 'not_found')) throw error
  await remove('/api/session')
  return { url: null }
}

/** Ends the session, perhaps also at the provider, and clears the person's data in this browser. A failure clears nothing. */
export const endSession = (): void =>
  void post('/api/auth/sign-out')
    .catch(signOutAtOldReplica)
    .then(leaveToSignIn, toastFailure('You are still signed in.'))

/** Signs out; first opens the question if the person may not get back in. */
export const signOut = (): void => {
  const { asks } = signOutQuestion.get()
  if (asks) signOutQuestion.set({ asks, open: true })
  else endSession()
}
