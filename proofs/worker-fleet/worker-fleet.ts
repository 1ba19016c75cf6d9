import { loadavg } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { onEnd } from '#bench/harness/cleanup.ts'
import { openDatabase } from '#apps/bff/src/ground/db/open.ts'
import { migrateDatabase } from '#apps/bff/src/ground/db/migrate.ts'
import { startEmbeddedPostgres } from '#packages/embedded-postgres/src/embedded-postgres.ts'
import { openQueues, type Queues } from '#packages/local-admin-api/src/database/queues.ts'
import { silentLog } from '#packages/local-admin-api/src/log.ts'
import { createExportQueue } from '#packages/local-admin-api/src/static-exports/export-queue.ts'
import { createExportStore } from '#packages/local-admin-api/src/static-exports/export-store.ts'
import { temporaryFolder } from '#proofs/harness/docket.ts'
import type { Fault } from '#proofs/harness/plant.ts'
import type { Proof } from '#proofs/harness/proof.ts'
import { startFleet } from './fleet.ts'
import { drawLateOrders, drawOrders, type Order } from './orders.ts'
import type { Sample } from './timeline.ts'

const fault: Fault = {
  file: 'static-exports/export-store.ts',
  instead: `progress: 100 } : ended)
        .where(isAt(attempt))`,
  write: `progress: 100 } : ended)
        .where(eq(staticExports.jobId, attempt.jobId))`,
}

/** Notes each end of an export, and the attempt that ended it. */
const ledger = `
  create table fleet_ends (job_id text not null, attempt_id uuid, status text not null);
  create function fleet_note() returns trigger language plpgsql as $$ begin
    insert into fleet_ends values (new.job_id, old.attempt_id, new.status); return null; end $$;
  create trigger fleet_note after update on embedded_service.static_exports for each row
    when (new.status in ('completed', 'failed') and (new.status <> old.status or new.page_count <> old.page_count or old.attempt_id is null))
    execute function fleet_note()`

const openService = async (databaseUrl: string, perSite: number) => {
  const { db, close } = await openDatabase({
    databaseUrl,
    directUrl: undefined,
    dataDir: '',
    log: { debug: () => {}, warn: () => {}, error: () => {} },
  })
  onEnd(close)
  let queues: Queues | undefined
  const queue = createExportQueue({
    store: createExportStore(db, () => new Date()),
    queues: () => queues!,
    run: () => {
      throw new Error('It only serves.')
    },
    removeBundle: () => Promise.resolve(),
    exporter: 'fleet',
    workers: 0,
    perSite,
    places: 20_000,
    log: silentLog,
  })
  queues = await openQueues({
    runSql: (text, values) => db.$client.query(text, values),
    queues: queue.queues,
    alone: false,
    log: silentLog,
  })
  const start = async (orders: readonly Order[]): Promise<string[]> => {
    const left = [...orders]
    const ids: string[] = []
    const startNext = async (): Promise<void> => {
      const order = left.shift()
      if (order === undefined) return
      const job = await queue.start({ ...order, version: null, paths: null, pin: null })
      ids.push(job!.jobId)
      return startNext()
    }
    await Promise.all(Array.from({ length: 8 }, startNext))
    return ids
  }
  const sample = async (): Promise<Sample & { unfinished: number }> => {
    const at = Date.now()
    const { rows } = await db.$client.query<{ eligible: number; unfinished: number }>(
      `select coalesce(sum(least(waiting, greatest(0, $1 - running))), 0)::int as eligible, coalesce(sum(waiting + running), 0)::int as unfinished
        from (select count(*) filter (where status = 'queued') as waiting, count(*) filter (where status = 'running') as running
          from embedded_service.static_exports where status in ('queued', 'running') group by domain) of_domains`,
      [perSite],
    )
    return { at, ...rows[0]! }
  }
  return { start, sample, query: db.$client.query.bind(db.$client) as typeof db.$client.query }
}

/** A hundred workers of the embedded service on one database, which die and hang while ten thousand exports wait. */
export const proof: Proof = {
  name: 'worker-fleet',
  bar: 'with 100 workers, 10,000 exports and 200 deaths, none is lost, none ends twice, workers wait at most 5 % of the time while there is work, and no small domain waits behind a large one',
  fault,
  run: async ({ planted, quick }) => {
    const size = quick
      ? { processes: 4, count: 400, domains: 30, late: 5, perSite: 10, kills: 3, hangs: 2 }
      : { processes: 20, count: 10_000, domains: 300, late: 20, perSite: 50, kills: 28, hangs: 12 }
    const { processes, count, domains, late, perSite } = size
    const workersEach = 5
    const settings = { max_connections: '300', shared_buffers: '128MB' }
    const { connection, stop } = await startEmbeddedPostgres({ dataDir: temporaryFolder(), settings })
    onEnd(stop)
    const { host, port, user, database } = connection
    const databaseUrl = `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
    await migrateDatabase(connection)
    const service = await openService(databaseUrl, perSite)
    await service.query(ledger)
    const lateOrders = drawLateOrders(late)
    await service.start(drawOrders(count - lateOrders.length, domains))
    const fleet = await startFleet({ databaseUrl, processes, workersEach, perSite, faults: planted ? [fault] : [] })
    const workAt = Date.now()

    const samples: Sample[] = []
    let deaths = 0
    const trouble = [...Array<'kill'>(size.kills).fill('kill'), ...Array<'hang'>(size.hangs).fill('hang')]
    // Deaths come evenly while most of the work is done, a hang among every few kills.
    const order = trouble
      .map((kind, n) => ({ kind, n, key: (n * 7919) % trouble.length }))
      .toSorted((a, b) => a.key - b.key)
    let lateAt = 0
    let lateIds: string[] = []
    for (;;) {
      const sample = await service.sample()
      samples.push(sample)
      if (sample.unfinished === 0) break
      const done = count - sample.unfinished
      if (lateAt === 0 && done > 0.2 * count) {
        lateAt = Date.now()
        lateIds = await service.start(lateOrders)
      }
      while (order.length > 0 && done / count >= (0.9 * (trouble.length - order.length + 1)) / trouble.length) {
        const died = fleet[order[0]!.kind]()
        if (died === 0) break
        deaths += died
        order.shift()
      }
      await delay(1_000)
    }
    const workMs = Date.now() - workAt
    // Those that hang come back, and tell what they have.
    await delay(25_000)
    fleet.end()
    await delay(500)

    const { rows: ends } = await service.query<{ twice: number; ended: number }>(
      `select count(*) filter (where n > 1)::int as twice, count(*)::int as ended from (select job_id, count(*) as n from fleet_ends group by job_id) of_jobs`,
    )
    const { rows: jobs } = await service.query<{
      id: string
      status: string
      pages: number
      error: string | null
      losses: number
    }>(`select job_id as id, status, page_count as pages, error, losses from embedded_service.static_exports`)
    const lost = jobs.filter(({ status, error }) => status !== 'completed' && error?.startsWith('played: ') !== true)
    const foreign = jobs.filter(({ id, status, pages }) => status === 'completed' && !fleet.told.hasResult(id, pages))
    const idle = fleet.told.idleShare(samples, processes * workersEach)
    const most = fleet.told.mostAtOnce()
    const lateMs = Math.max(...lateIds.map((id) => fleet.told.startedAt(id) - lateAt))
    const losses = jobs.reduce((sum, one) => sum + one.losses, 0)
    const ok =
      jobs.length === count &&
      lost.length === 0 &&
      ends[0]!.twice === 0 &&
      ends[0]!.ended === count &&
      foreign.length === 0 &&
      idle <= 0.05 &&
      most <= perSite &&
      lateMs <= 15_000
    return {
      ok,
      figure: `${count} exports, ${processes * workersEach} workers, ${deaths} deaths, ${losses} attempts lost with them: ${lost.length} lost, ${ends[0]!.twice} ended twice, ${foreign.length} with a result nobody had, idle ${(100 * idle).toFixed(1)} %, ${most} of a domain at once (${perSite} allowed), small domains waited ${(lateMs / 1000).toFixed(1)} s, all in ${(workMs / 1000).toFixed(0)} s; load ${loadavg()[0]!.toFixed(1)}`,
    }
  },
}
