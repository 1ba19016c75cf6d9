import { clearResponses, remove } from '#lib/api.ts'
import { replaceEntry } from '#lib/history-entry.ts'
import { forgetVisitor } from '#lib/visitor.ts'
import { toastFailure } from '#ui/toast.ts'

const leave = () => {
  clearResponses()
  forgetVisitor()
  replaceEntry(null)
  location.replace('/sign-in')
}

/**
 * Ends the session, clears the person's data in this browser, and reloads the page to clear its memory. If that fails, the session
 * continues, so it clears nothing and shows a toast.
 */
export const signOut = (): void => void remove('/api/session').then(leave, toastFailure('You are still signed in.'))
