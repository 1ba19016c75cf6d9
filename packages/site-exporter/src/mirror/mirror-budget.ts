import type { MirrorLimits } from './mirror-limits.ts'

/** What reading the whole site may still cost, and what was left out of it. */
export type MirrorBudget = {
  /** Counts bytes of an answer. */
  spend(bytes: number): void
  /** Whether nothing more may be read. The first time that is so it is reported. */
  isSpent(): boolean
  report(address: string, reason: string): void
  leftOut(): { file: string; reason: string }[]
  /** Whether something is left out at this address. */
  isLeftOut(address: string): boolean
}

/** Lines of one reason; of more it is said how many there are. */
const maxPerReason = 200

/** A budget within the limits, from now on. */
export const mirrorBudget = (limits: MirrorLimits, now: () => number = Date.now): MirrorBudget => {
  const until = now() + limits.totalMs
  const reasons = new Map<string, string[]>()
  const addresses = new Set<string>()
  let bytes = 0
  let over: string | null = null
  return {
    spend: (more) => {
      bytes += more
    },
    isSpent: () => {
      if (bytes > limits.totalBytes) over ??= `the site has more than ${Math.round(limits.totalBytes / 1024 / 1024)} MB`
      else if (now() > until) over ??= `reading the site took more than ${Math.round(limits.totalMs / 60_000)} minutes`
      return over !== null
    },
    report: (address, reason) => {
      addresses.add(address)
      const all = reasons.get(reason) ?? []
      all.push(address.slice(0, 300))
      reasons.set(reason, all)
    },
    isLeftOut: (address) => addresses.has(address),
    leftOut: () => [
      ...(over === null ? [] : [{ file: '', reason: `${over}; the rest of it is not here` }]),
      ...[...reasons].flatMap(([reason, all]) => [
        ...all.slice(0, maxPerReason).map((file) => ({ file, reason })),
        ...(all.length > maxPerReason ? [{ file: '', reason: `${all.length - maxPerReason} more: ${reason}` }] : []),
      ]),
    ],
  }
}
