import { toast, toastFailure } from '#ui/messages/toast.ts'

/** Facts to paste into a request for help. Contains only `facts`, so no link and no secret. */
export const formatSupportText = (
  subject: string,
  facts: Readonly<Record<string, string | null>>,
  now: Date = new Date(),
): string => {
  const lines = Object.entries({ ...facts, 'copied at': now.toISOString() }).map(
    // One line per fact, even when the service sent several.
    ([name, value]) => `${name}: ${value?.replaceAll(/\s+/g, ' ') ?? 'none'}`,
  )
  return [`Docket, ${subject}`, ...lines].join('\n')
}

/** Copies the facts and shows a toast, also on failure. */
export const copyForSupport = async (
  subject: string,
  facts: Readonly<Record<string, string | null>>,
): Promise<void> => {
  try {
    await navigator.clipboard.writeText(formatSupportText(subject, facts))
    toast('Copied for support: IDs, states and times. No links, no keys.', { tone: 'done' })
  } catch {
    toast('Could not copy. Your browser blocks clipboard access.', { tone: 'failed' })
  }
}

/** Copies the address of a page of Docket; `href` begins with `/`. Leaves out which connection the reader's own lists show. */
export const copyPageLink = async (href: string): Promise<void> => {
  try {
    const address = new URL(href, location.origin)
    address.searchParams.delete('connection')
    await navigator.clipboard.writeText(address.href)
    toast('Page link copied.', { tone: 'done' })
  } catch (error) {
    toastFailure('Could not copy the link.')(error)
  }
}
