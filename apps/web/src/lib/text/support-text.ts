/** Facts to paste into a request for help. Contains only `facts`, so no link and no secret. */
export const supportText = (
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
