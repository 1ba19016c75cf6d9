const dayMs = 86_400_000
const firstWarningDays = 14

const formatDays = (days: number) => (days === 1 ? '1 day' : `${days} days`)

/** Warns about the end of a key from 14 days before its last day (YYYY-MM-DD, UTC). Null before, and without such a day. */
export const keyWarning = (keyExpiresOn: string | null, now: number): string | null => {
  if (keyExpiresOn === null) return null
  const days = Math.floor(Date.parse(`${keyExpiresOn}T00:00:00Z`) / dayMs) - Math.floor(now / dayMs)
  if (days > firstWarningDays) return null
  if (days < 0) return `The key expired on ${keyExpiresOn}. Replace it and enter its new date.`
  if (days === 0) return 'The key expires today. Replace it.'
  return `The key expires in ${formatDays(days)}, on ${keyExpiresOn}. Replace it before then.`
}
