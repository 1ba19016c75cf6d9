import { setTimeout as sleep } from 'node:timers/promises'
import { PgBoss, type Job } from 'pg-boss'
import type { Log } from '#log.ts'

export type RunSql = (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>

/** A queue of work that any process takes. `groupId`: at most `perGroup` of a group are worked on at once, over all processes. */
export type QueueOptions = {
  name: string
  /** Work at once in this process. 0: none. */
  atOnce: number
  perGroup: number
  /** `signal` aborts when this process stops; work that rejects is repeated, here or elsewhere. */
  run: (id: string, signal: AbortSignal) => Promise<void>
}

/** A worker that says nothing for so long is lost. The least that pg-boss takes. */
const heartbeatSeconds = 10
const superviseSeconds = 5
const pollSeconds = 2
/** How often ended entries leave the queue. pg-boss counts all entries of a queue, so they must stay few. */
const cleanSeconds = 60

const queueOptions = {
  // At most one entry of an id, waiting or under way.
  policy: 'exclusive',
  // Losses and stops are no failures of the work. Who counts is the work itself.
  retryLimit: 100,
  retryDelay: 1,
  expireInSeconds: 24 * 3_600 - 1,
  heartbeatSeconds,
  deleteAfterSeconds: cleanSeconds,
} as const

/** `alone`: no other process can work on them, so what is under way was lost, and waits again at once. */
export const openQueues = async (deps: {
  runSql: RunSql
  queues: readonly QueueOptions[]
  alone: boolean
  log: Log
}) => {
  const { queues, alone, log } = deps
  const boss = new PgBoss({
    db: { executeSql: deps.runSql },
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

  /** pg-boss counts a group before it takes from it, so several processes may take too many. */
  const assertPlace = async ({ name, perGroup }: QueueOptions, { id, groupId }: Job) => {
    const { rows } = await deps.runSql(
      `select count(*)::int as count, coalesce(bool_or(id = $3::uuid), false) as mine
        from pgboss.job where name = $1 and group_id = $2 and state = 'active'`,
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
    /** Asks for work. Higher priorities go first. An id that waits or is worked on is not asked for twice. */
    add: async (name: string, { id, groupId, priority }: { id: string; groupId: string; priority: number }) => {
      // A queue of other processes may have gone with the database's last backup.
      if (!workers.has(name)) await boss.createQueue(name, queueOptions)
      await boss.send(name, { id }, { singletonKey: id, group: { id: groupId }, priority })
      for (const worker of workers.get(name) ?? []) boss.notifyWorker(worker)
    },
    /** Takes nothing more. Work under way has `graceMs` to end; then another process takes it. */
    close: async (graceMs: number) => {
      stopped.abort()
      // A graceful stop looks every half second only.
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
