import type { Database } from '#db/database.ts'
import type { WatchedTable } from '#watch/claim.ts'
import type { callPermits } from '#watch/permits/permits.ts'
import type { WatchedClass } from '#watch/permits/permits.table.ts'
import { watchedReading } from '#watch/watched-reading.ts'

/** What only the database knows, over all processes that share it. Times in milliseconds; names are label values. */
export type SharedReading = {
  kinds: Record<string, { active: number; pollLagMs: number; oldestLeaseMs: number }>
  /** Null where polling has no limit. */
  budget: { left: number; callsPerHour: number } | null
  /** Classes of calls, and whether they are held back. */
  gates: Record<string, 'open' | 'closed'>
}

type Kind = { table: WatchedTable; countActive: (db: Database) => Promise<number> }

/** How the watching of each kind of records stands. Asks the database by `probes`. */
export const sharedReading =
  (deps: {
    probes: Database
    kinds: Record<WatchedClass, Kind>
    permits: ReturnType<typeof callPermits>
    callsPerHour: number
    leaseMs: number
    now: () => number
  }) =>
  async (): Promise<SharedReading> => {
    const { probes, kinds, permits, callsPerHour, leaseMs, now } = deps
    const readings = Object.entries(kinds).map(async ([name, { table, countActive }]) => {
      const [active, read] = await Promise.all([
        countActive(probes),
        watchedReading(probes, table, { now: now(), leaseMs }),
      ])
      return [name, { active, ...read }] as const
    })
    const { budget, gates } = await permits.report(probes)
    const isClosed = (name: string) => gates.some(({ calls }) => calls === name)
    return {
      kinds: Object.fromEntries(await Promise.all(readings)),
      budget: callsPerHour === 0 ? null : budget,
      gates: Object.fromEntries(Object.keys(kinds).map((name) => [name, isClosed(name) ? 'closed' : 'open'])),
    }
  }
