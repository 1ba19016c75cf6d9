import { toast } from '#ui/messages/toast.ts'

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

/** Copies `text` and shows `message`, or that it could not. */
export const copyText = async (text: string, message: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(text)
    toast(message, { tone: 'done' })
  } catch {
    toast('Could not copy. Your browser blocks clipboard access.', { tone: 'failed' })
  }
}

export const copyForSupport = (subject: string, facts: Readonly<Record<string, string | null>>): Promise<void> =>
  copyText(formatSupportText(subject, facts), 'Copied for support: IDs, states and times. No links, no keys.')

/** Copies the address of a page of Docket; `href` begins with `/`. Leaves out which connection the reader's own lists show. */
export const copyPageLink = (href: string): Promise<void> => {
  const address = new URL(href, location.origin)
  address.searchParams.delete('connection')
  return copyText(address.href, 'Page link copied.')
}
