/** A service that refuses every call beyond so many in a rolling hour. A refused call counts for nothing. */
export const countingService = (callsPerHour: number) => {
  const hourMs = 3_600_000
  const accepted: number[] = []
  let oldest = 0
  let refused = 0
  return {
    /** True when it answers a call that arrives now. */
    answers: (atMs: number): boolean => {
      while (oldest < accepted.length && accepted[oldest]! <= atMs - hourMs) oldest += 1
      if (accepted.length - oldest >= callsPerHour) {
        refused += 1
        return false
      }
      accepted.push(atMs)
      return true
    },
    /** When it answers again. */
    freeAt: (): number => (accepted[Math.max(oldest, accepted.length - callsPerHour)] ?? -hourMs) + hourMs,
    calls: () => accepted.length + refused,
    refused: () => refused,
    /** Most calls that arrived within one hour. */
    busiestHour: (): number => {
      let most = 0
      for (let from = 0, to = 0; to < accepted.length; to += 1) {
        while (accepted[from]! <= accepted[to]! - hourMs) from += 1
        most = Math.max(most, to - from + 1)
      }
      return most
    },
  }
}
