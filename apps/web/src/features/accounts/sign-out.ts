import { clearResponses, remove } from '#lib/api.ts'
import { replaceEntry } from '#lib/history-entry.ts'
import { forgetVisitor } from '#lib/visitor.ts'

/**
 * Ends the session, and forgets on this browser what belongs to whoever was here; the page is loaded anew, so that nothing stays in its
 * memory either. Rejects with `ApiError`, and then nothing is forgotten: the session goes on.
 */
export const signOut = async (): Promise<void> => {
  await remove('/api/session')
  clearResponses()
  forgetVisitor()
  replaceEntry(null)
  location.replace('/sign-in')
}
