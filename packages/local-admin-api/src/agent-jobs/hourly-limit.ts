const hourMs = 3_600_000

/**
 * How long to wait until one more may be sent, in seconds (1 to 3600); null when it may be sent now. `times` are those of the
 * ones before, as they are kept with the jobs, so the limit outlives a restart. Times that a clock put wrong has left ahead
 * of `now` count for an hour at most, whatever they say.
 */
export const retryAfterSeconds = (times: readonly string[], perHour: number, now: Date): number | null => {
  const recent = times
    .map((time) => Date.parse(time) - now.getTime())
    .filter((age) => Math.abs(age) < hourMs)
    .toSorted((a, b) => a - b)
  if (recent.length < perHour) return null
  const leaves = recent[recent.length - perHour]!
  return Math.min(3600, Math.max(1, Math.ceil((leaves + hourMs) / 1000)))
}
