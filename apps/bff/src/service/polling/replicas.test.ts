import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { StartedStaticExport } from '@docket/api-types/static-exports'
import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { countingAdminApi } from '#testing/counting-admin-api.ts'
import { testDatabase } from '#testing/database.ts'
import { startDocket } from '#testing/docket-process.ts'

/** Number of processes that are killed and replaced. */
const rounds = Math.ceil(Number(process.env['SAMPLES'] ?? 100) / 100)
/** Processes at the same time: two show that they share, three that any two do. */
const processes = rounds === 1 ? 2 : 3
const callTimeoutMs = 2_000
const exportsCount = 4
/** More than all processes but one read at once. */
const jobsCount = (processes - 1) * 16 + 2
const patient = { interval: 50 }

const folder = await mkdtemp(join(tmpdir(), 'docket-replicas-'))
const database = await testDatabase({ empty: true })
const service = await countingAdminApi()
const running = new Set<ReturnType<typeof startDocket>>()
afterAll(async () => {
  await Promise.all([...running].map((docket) => docket.kill('SIGKILL')))
  await Promise.all([service.close(), database.drop(), rm(folder, { recursive: true })])
})

const replica = () => {
  const docket = startDocket({
    DATA_DIR: join(folder, randomUUID()),
    DATABASE_URL: database.url,
    ADMIN_API_URL: service.url,
    ADMIN_API_KEY: 'prefix_canary0123456789',
    ADMIN_API_TIMEOUT_MS: String(callTimeoutMs),
    ADMIN_API_CALLS_PER_HOUR: '1000000',
    LOG_LEVEL: 'error',
  })
  running.add(docket)
  return docket
}

const post = (docket: ReturnType<typeof startDocket>, path: string, body: unknown) =>
  docket.fetch(path, { method: 'POST', body: JSON.stringify(body) })

const domains = Array.from({ length: exportsCount }, (_, index) => `docs-${index}.example.com`)
const jobs = Array.from({ length: jobsCount }, (_, index) => ({ projectId: 'docs', id: `job-${index}` }))
const paths = [
  ...domains.map((domain) => `/v1/static-export/jobs/job-of-${domain}`),
  ...jobs.map(({ projectId, id }) => `/v2/agent/${projectId}/job/${id}`),
]

const readRows = async <Row extends Record<string, unknown>>(query: ReturnType<typeof sql>) =>
  (await database.db.execute<Row>(query)).rows

/** Reads under way, with their processes. */
const leases = () =>
  readRows<{ path: string; lease: string }>(sql`
    select '/v1/static-export/jobs/' || job_id as path, lease_owner as lease from static_exports
    where lease_until > now() and job_id is not null
    union all
    select '/v2/agent/' || project_id || '/job/' || id, lease_owner from agent_jobs where lease_until > now()`)

/** Writes every change of what a record says down, as the database saw it. */
const audit = () =>
  database.db.execute(sql`
    create table audit (id bigint generated always as identity, record text, before text, after text, pages_lost int);
    create function audited() returns trigger language plpgsql as $$ begin
      if TG_TABLE_NAME = 'static_exports' then
        insert into audit (record, before, after, pages_lost)
        values (new.job_id, old.state, new.state, greatest(0, old.page_count - new.page_count));
      else
        insert into audit (record, before, after) values (new.id, old.status, new.status);
      end if;
      return null;
    end $$;
    create trigger audited after update on static_exports for each row execute function audited();
    create trigger audited after update on agent_jobs for each row execute function audited()`)

const arrivals = (path: string, sinceMs = 0) =>
  service.reads.filter((read) => read.path === path && read.atMs >= sinceMs).map(({ atMs }) => atMs)

/** Kills a replica while all of them are reading. Answers with what it was reading and when it died. */
const killWhileReading = async (victim: ReturnType<typeof startDocket>) => {
  for (;;) {
    service.hold()
    const deadline = performance.now() + callTimeoutMs / 2
    let owners = await leases()
    const readers = () =>
      new Set(owners.filter(({ path }) => path.startsWith('/v2/')).map(({ lease }) => lease.split('/')[0])).size
    while (performance.now() < deadline && readers() < processes) {
      await delay(20)
      owners = await leases()
    }
    if (readers() < processes) {
      service.release()
      continue
    }
    const killedMs = performance.now()
    await victim.kill('SIGKILL')
    running.delete(victim)
    const before = await leases()
    service.release()
    // The others write their answers back; what is then still leased as before is what died.
    await delay(500)
    const now = new Set((await leases()).map(({ lease }) => lease))
    return { killedMs, orphans: before.filter(({ lease }) => now.has(lease)).map(({ path }) => path) }
  }
}

test(
  `${processes} processes share the polling: no record is started, read or reported twice, and none is lost if one is killed`,
  { timeout: 600_000 + rounds * 60_000 },
  async () => {
    // On an empty database, so that all of them also make its tables at the same moment.
    const dockets = Array.from({ length: processes }, replica)
    await Promise.all(dockets.map(({ ready }) => ready))
    await audit()

    const started = await Promise.all(
      domains.flatMap((domain) => {
        const request = { requestId: randomUUID(), domain }
        return dockets.map(async (docket) => {
          const response = await post(docket, '/api/static-exports', request)
          return StartedStaticExport.parse(await response.json()).export
        })
      }),
    )
    expect(service.starts.toSorted()).toEqual(domains)
    expect(new Set(started.map(({ exportId }) => exportId)).size).toBe(exportsCount)
    expect((await post(dockets[0]!, '/api/agent-jobs', { jobs })).status).toBe(200)

    const beganMs = performance.now()
    const readAgain = (times: number, sinceMs: number) => () =>
      Math.min(...paths.map((path) => arrivals(path, sinceMs).length)) >= times
    await expect.poll(readAgain(3, beganMs), patient).toBe(true)
    // At most one read per record in 0.9 seconds, however slow the machine; without coordination, each
    // process would read once.
    for (const path of paths) {
      const times = arrivals(path, beganMs)
      expect((times.length - 1) * 900).toBeLessThan(times.at(-1)! - times[0]! + 1_000)
    }

    for (let round = 0; round < rounds; round += 1) {
      const victim = dockets.splice(round % processes, 1)[0]!
      const { killedMs, orphans } = await killWhileReading(victim)
      expect(orphans).not.toEqual([])
      await expect.poll(readAgain(1, killedMs), patient).toBe(true)
      if (round === rounds - 1) break
      const fresh = replica()
      dockets.push(fresh)
      await fresh.ready
    }

    service.finish(paths)
    const unfinished = () =>
      readRows(sql`
        select 1 from static_exports where state <> 'completed' union all
        select 1 from agent_jobs where pr_link is null`)
    await expect.poll(unfinished, patient).toEqual([])
    expect(service.state.maxAtOnce).toBe(1)

    const ends = await readRows<{ record: string; times: number }>(sql`
      select record, count(*)::int as times from audit where before <> 'completed' and after = 'completed' group by record`)
    expect(ends).toHaveLength(paths.length)
    expect(ends.filter(({ times }) => times !== 1)).toEqual([])
    const back = sql`select * from audit where (before = 'completed' and after <> 'completed') or pages_lost > 0`
    expect(await readRows(back)).toEqual([])
    const repeated = await readRows<{ record_key: string; times: number }>(sql`
      select record_key, count(*)::int as times from history_events
      where kind in ('completed', 'pull_request_reported') group by record_type, record_key, kind`)
    expect(repeated.filter(({ times }) => times !== 1)).toEqual([])
    expect(repeated.length).toBeGreaterThanOrEqual(paths.length)

    const left = await Promise.all(dockets.map((docket) => docket.kill('SIGTERM')))
    for (const docket of dockets) running.delete(docket)
    expect(left.map(({ code, stderr }) => [code, stderr])).toEqual(dockets.map(() => [0, '']))
  },
)
