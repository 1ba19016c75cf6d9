const hourMs = 3_600_000
const httpDate = /^[A-Z][a-z]{2,8}, \d{1,2}[ -][A-Z][a-z]{2}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/

/**
 * Milliseconds to wait from `Retry-After` (seconds or HTTP date), from a second to an hour; null when it is missing, makes no sense or
 * names no time to come: then it is up to the caller how long to wait.
 */
export const retryAfterMs = (header: string | undefined, nowMs: number): number | null => {
  const value = header?.trim() ?? ''
  const within = (ms: number) => (ms <= 0 ? null : Math.min(Math.max(ms, 1000), hourMs))
  if (/^\d+(\.\d+)?$/.test(value)) return within(Math.ceil(Number(value) * 1000))
  if (!httpDate.test(value)) return null
  const atMs = Date.parse(value)
  return Number.isNaN(atMs) ? null : within(atMs - nowMs)
}
