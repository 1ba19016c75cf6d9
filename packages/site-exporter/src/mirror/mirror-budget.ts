import type { MirrorLimits } from './mirror-limits.ts'

/** Reported addresses per reason; the rest is counted. */
const maxPerReason = 200

/** Starts the budget of one mirror. */
export const mirrorBudget = (limits: MirrorLimits, now: () => number = Date.now) => {
  const until = now() + limits.totalMs
  const reasons = new Map<string, string[]>()
  let bytes = 0
  let over: string | null = null
  return {
    spend: (more: number) => {
      bytes += more
    },
    isSpent: () => {
      if (bytes > limits.totalBytes) over ??= `the site has more than ${Math.round(limits.totalBytes / 1024 / 1024)} MB`
      else if (now() > until) over ??= `reading the site took more than ${Math.round(limits.totalMs / 60_000)} minutes`
      return over !== null
    },
    report: (address: string, reason: string) => {
      const all = reasons.get(reason) ?? []
      all.push(address.slice(0, 300))
      reasons.set(reason, all)
    },
    leftOut: () => [
      ...(over === null ? [] : [{ file: '', reason: `${over}; the rest of it is not here` }]),
      ...[...reasons].flatMap(([reason, all]) => [
        ...all.slice(0, maxPerReason).map((file) => ({ file, reason })),
        ...(all.length > maxPerReason ? [{ file: '', reason: `${all.length - maxPerReason} more: ${reason}` }] : []),
      ]),
    ],
  }
}

/** Remaining limits of one mirror, and the list of omitted files. */
export type MirrorBudget = ReturnType<typeof mirrorBudget>
