import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { DocketClient } from '#apps/bff/src/testing/docket-client.ts'

/** Answers that people got during a failure. */
export type Traffic = {
  /** Counts later answers for this phase. */
  phase: (name: string) => void
  /** Number of answers per status in a phase; 0 means no answer. */
  answers: (phase: string, kind: 'read' | 'write') => Map<number, number>
  /** Duration of the slowest answer in a phase. Milliseconds. */
  slowestMs: (phase: string) => number
  /** Domains whose start Docket acknowledged. */
  acknowledged: () => readonly string[]
  /** Waits until a start is acknowledged. False when none was within `withinMs`. */
  recovered: (withinMs: number) => Promise<boolean>
  stop: () => Promise<void>
}

const writers = 3
const readers = 3
/** Longer than Docket may take for any answer. */
const patienceMs = 45_000
const paths = ['/api/static-exports', '/api/agent-jobs', '/api/status']

/** Page paths that fill some tens of kilobytes and cannot be compressed. */
const manyPaths = () => Array.from({ length: 60 }, () => `/${randomBytes(600).toString('base64url')}`)

/** Lets people start exports and read lists without end. With `large`, each start takes new room on the disk. */
export const startTraffic = (client: DocketClient, { large = false } = {}): Traffic => {
  const counts = new Map<string, Map<number, number>>()
  const slowest = new Map<string, number>()
  const acknowledged: string[] = []
  let [phase, ended, starts] = ['before', false, 0]

  const count = async (kind: string, ask: () => Promise<Response>): Promise<number> => {
    const during = phase
    const startMs = performance.now()
    const response = await Promise.race([ask().catch(() => null), delay(patienceMs, null, { ref: false })])
    await response?.arrayBuffer().catch(() => {})
    // A request that was under way when something changed may end either way.
    const within = during === phase ? phase : 'between'
    slowest.set(within, Math.max(slowest.get(within) ?? 0, performance.now() - startMs))
    const key = `${within} ${kind}`
    const statuses = counts.get(key) ?? new Map<number, number>()
    counts.set(key, statuses)
    const status = response?.status ?? 0
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    return status
  }
  const start = async (): Promise<boolean> => {
    const domain = `docs-${(starts += 1)}.example.com`
    const body = { requestId: randomUUID(), domain, ...(large ? { paths: manyPaths() } : {}) }
    if ((await count('write', () => client.post('/api/static-exports', body))) !== 201) return false
    acknowledged.push(domain)
    return true
  }
  const write = async () => {
    while (!ended) {
      await start()
      await delay(150)
    }
  }
  const read = async (nth: number) => {
    for (let n = nth; !ended; n += 1) {
      await count('read', () => client.get(paths[n % paths.length]!))
      await delay(50)
    }
  }
  const all = Promise.all([
    ...Array.from({ length: writers }, write),
    ...Array.from({ length: readers }, (_, nth) => read(nth)),
  ])
  return {
    phase: (name) => void (phase = name),
    answers: (name, kind) => counts.get(`${name} ${kind}`) ?? new Map(),
    slowestMs: (name) => slowest.get(name) ?? 0,
    acknowledged: () => acknowledged,
    recovered: async (withinMs) => {
      const deadline = performance.now() + withinMs
      while (performance.now() < deadline) {
        if (await start()) return true
        await delay(250)
      }
      return false
    },
    stop: async () => {
      ended = true
      await all
    },
  }
}
