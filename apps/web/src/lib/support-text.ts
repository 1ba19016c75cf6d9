/** Lines to paste into a request for help. Only what is named here is in it, so no link and no secret can be. */
export const supportText = (
  subject: string,
  facts: Readonly<Record<string, string | null>>,
  now: Date = new Date(),
): string => {
  const lines = Object.entries({ ...facts, 'copied at': now.toISOString() }).map(
    // One line each, whatever the service put into it.
    ([name, value]) => `${name}: ${value?.replaceAll(/\s+/g, ' ') ?? 'none'}`,
  )
  return [`Docket, ${subject}`, ...lines].join('\n')
}
