import { clearResponses, remove } from '#lib/api.ts'
import { replaceEntry } from '#lib/history-entry.ts'
import { forgetVisitor } from '#lib/visitor.ts'

/**
 * Ends the session, clears the person's data in this browser, and reloads the page to clear its memory. Rejects with `ApiError` and then
 * clears nothing, because the session continues.
 */
export const signOut = async (): Promise<void> => {
  await remove('/api/session')
  clearResponses()
  forgetVisitor()
  replaceEntry(null)
  location.replace('/sign-in')
}
