import { setTimeout as sleep } from 'node:timers/promises'
import { PgBoss, type Job } from 'pg-boss'
import type { Log } from '#log.ts'
import { schemas } from './schemas.ts'

export type RunSql = (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>

/** At most `perGroup` entries with the same `groupId` run at once, over all processes. */
export type QueueOptions = {
  name: string
  /** How many entries this process works on at once; 0 for none. */
  atOnce: number
  perGroup: number
  /** `signal` aborts when this process stops. Work that rejects is repeated, here or in another process. */
  run: (id: string, signal: AbortSignal) => Promise<void>
}

/** Silence after which a worker counts as lost: the minimum that pg-boss allows. */
const heartbeatSeconds = 10
const superviseSeconds = 5
const pollSeconds = 2
/** How often ended entries leave the queue. pg-boss counts all entries of a queue, so they must stay few. */
const cleanSeconds = 60

const queueOptions = {
  // At most one waiting or running entry per id.
  policy: 'exclusive',
  // Lost and stopped attempts are not failures of the work, which counts its own attempts.
  retryLimit: 100,
  retryDelay: 1,
  expireInSeconds: 24 * 3_600 - 1,
  heartbeatSeconds,
  deleteAfterSeconds: cleanSeconds,
} as const

/** With `alone`, no other process can work on the queues, so running entries were lost and are queued again at once. */
export const openQueues = async (deps: {
  runSql: RunSql
  queues: readonly QueueOptions[]
  alone: boolean
  log: Log
}) => {
  const { queues, alone, log } = deps
  const boss = new PgBoss({
    db: { executeSql: deps.runSql },
    schema: schemas.queues,
    schedule: false,
    migrate: false,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    maintenanceIntervalSeconds: cleanSeconds,
    flowIntervalSeconds: 86_400,
  })
  boss.on('error', (error) => log.warn({ err: error }, 'the queue of the embedded service has a problem'))
  const stopped = new AbortController()
  const workers = new Map<string, string[]>()

  /** pg-boss counts a group before it takes an entry, so several processes together may take too many. */
  const assertPlace = async ({ name, perGroup }: QueueOptions, { id, groupId }: Job) => {
    const { rows } = await deps.runSql(
      `select count(*)::int as count, coalesce(bool_or(id = $3::uuid), false) as mine
        from ${schemas.queues}.job where name = $1 and group_id = $2 and state = 'active'`,
      [name, groupId, id],
    )
    const { count, mine } = rows[0] as { count: number; mine: boolean }
    if (!mine || count > perGroup) throw new Error('Another process was faster.')
  }
  const startWorker = async (queue: QueueOptions): Promise<string> => {
    let worker = ''
    const runOne = async ([job]: Job<{ id: string }>[]) => {
      try {
        await assertPlace(queue, job!)
        await queue.run(job!.data.id, stopped.signal)
      } finally {
        // Other work of its group may wait for the end of this.
        boss.notifyWorker(worker)
      }
    }
    const options = { groupConcurrency: queue.perGroup, pollingIntervalSeconds: pollSeconds }
    worker = await boss.work<{ id: string }>(queue.name, options, runOne)
    return worker
  }
  await boss.start()
  for (const queue of queues) {
    await boss.createQueue(queue.name, queueOptions)
    if (alone) await releaseAll(boss, queue.name)
    const starting = Array.from({ length: queue.atOnce }, () => startWorker(queue))
    workers.set(queue.name, await Promise.all(starting))
  }
  return {
    /** Higher priorities run first. An id that is already waiting or running is not queued again. */
    add: async (name: string, { id, groupId, priority }: { id: string; groupId: string; priority: number }) => {
      // Another process's queue may be missing after the database was restored from a backup.
      if (!workers.has(name)) await boss.createQueue(name, queueOptions)
      await boss.send(name, { id }, { singletonKey: id, group: { id: groupId }, priority })
      for (const worker of workers.get(name) ?? []) boss.notifyWorker(worker)
    },
    /** Takes no more work. Running work has `graceMs` to end, and then another process takes it. */
    close: async (graceMs: number) => {
      stopped.abort()
      // A graceful stop checks only every half second.
      const ended = Promise.all([...workers.keys()].map((name) => boss.offWork(name)))
      await Promise.race([ended, sleep(graceMs, undefined, { ref: false })])
      await boss.stop({ graceful: false })
    },
  }
}

/** A failure would wait for its retry; an entry that is cancelled and resumed is the next one again. */
const releaseAll = async (boss: PgBoss, name: string) => {
  const entries = await boss.findJobs(name)
  const lost = entries.filter(({ state }) => state === 'active').map(({ id }) => id)
  if (lost.length === 0) return
  await boss.cancel(name, lost)
  await boss.resume(name, lost)
}

export type Queues = Awaited<ReturnType<typeof openQueues>>
