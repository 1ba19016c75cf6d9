const hourMs = 3_600_000
const httpDate = /^[A-Z][a-z]{2,8}, \d{1,2}[ -][A-Z][a-z]{2}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/

/** Milliseconds to wait from `Retry-After` (seconds or HTTP date), clamped to 0 … one hour; null when it is missing or makes no sense. */
export const retryAfterMs = (header: string | undefined, nowMs: number): number | null => {
  const value = header?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(value)) return Math.min(Math.ceil(Number(value) * 1000), hourMs)
  if (!httpDate.test(value)) return null
  const atMs = Date.parse(value)
  return Number.isNaN(atMs) ? null : Math.min(Math.max(atMs - nowMs, 0), hourMs)
}
