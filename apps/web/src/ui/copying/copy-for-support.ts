import { supportText } from '#lib/text/support-text.ts'
import { toast } from '#ui/messages/toast.ts'

/** Copies the facts and shows a toast, also on failure. */
export const copyForSupport = async (
  subject: string,
  facts: Readonly<Record<string, string | null>>,
): Promise<void> => {
  try {
    await navigator.clipboard.writeText(supportText(subject, facts))
    toast('Copied for support: IDs, states and times. No links, no keys.', { tone: 'done' })
  } catch {
    toast('Could not copy. Your browser blocks clipboard access.', { tone: 'failed' })
  }
}
