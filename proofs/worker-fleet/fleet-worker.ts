import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { openDatabase } from '#apps/bff/src/ground/db/open.ts'
import { createLog } from '#apps/bff/src/ground/log/log.ts'
import { openQueues, type Queues } from '#packages/local-admin-api/src/database/queues.ts'
import { createExportQueue } from '#packages/local-admin-api/src/static-exports/export-queue.ts'
import { createExportStore } from '#packages/local-admin-api/src/static-exports/export-store.ts'
import { drawAttempts, type Drawn } from './durations.ts'
import type { FleetEvent } from './timeline.ts'

// Several workers in one process: `node fleet-worker.ts <workers> <perSite> <seed>`. Each has its own connections, queues and sweep,
// like a process of its own. Only the export itself is played.
const [workers, perSite, seed] = process.argv.slice(2).map(Number) as [number, number, number]
const log = createLog({ level: 'error', destination: process.stderr })
const draw = drawAttempts(seed)
const tell = (event: FleetEvent) => void process.send?.(event, () => {})

/** One attempt that takes as long as drawn, with progress on the way, and ends at once when it is stopped. */
const play = ({ ms, end }: Drawn, onProgress: (progress: number, pages: number) => void) => {
  const stopped = new AbortController()
  const startedAt = Date.now()
  const noting = setInterval(() => onProgress((100 * (Date.now() - startedAt)) / ms, 0), 500)
  const ended = delay(ms, end, { signal: stopped.signal })
    .catch(() => 'stopped' as const)
    .finally(() => clearInterval(noting))
  return { ended, stop: () => stopped.abort() }
}

const openWorker = async () => {
  const worker = randomUUID()
  const { db } = await openDatabase({
    databaseUrl: process.env.DATABASE_URL,
    directUrl: undefined,
    dataDir: '',
    log,
    pool: { max: 2 },
  })
  let queues: Queues | undefined
  const queue = createExportQueue({
    store: createExportStore(db, () => new Date()),
    queues: () => queues!,
    run: ({ jobId, domain }, onProgress) => {
      tell({ kind: 'start', worker, jobId, domain, at: Date.now() })
      const { ended, stop } = play(draw(), onProgress)
      const finish = async () => {
        const kind = await ended
        // No two attempts have the same number, so the record says whose result it has.
        const pageCount = 1 + Math.floor(Math.random() * 2_000_000_000)
        tell({ kind: 'end', worker, jobId, domain, at: Date.now(), pageCount: kind === 'completed' ? pageCount : null })
        if (kind === 'completed') return { kind, pageCount }
        return kind === 'stopped' ? { kind } : { kind, reason: `played: ${kind}` }
      }
      return { ended: finish(), stop }
    },
    removeBundle: () => Promise.resolve(),
    exporter: 'fleet',
    workers: 1,
    perSite,
    places: 20_000,
    log,
  })
  queues = await openQueues({
    runSql: (text, values) => db.$client.query(text, values),
    queues: queue.queues,
    alone: false,
    log,
  })
  tell({ kind: 'ready', worker, at: Date.now() })
}

process.on('disconnect', () => process.exit(1))
await Promise.all(Array.from({ length: workers }, openWorker))
