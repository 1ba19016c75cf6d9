import { drizzle } from 'drizzle-orm/node-postgres'
import { sql, type SQL } from 'drizzle-orm'
import { bumpRevision } from '#ground/db/revision.ts'
import type { Database } from '#ground/db/database.ts'
import { openPool } from '#ground/db/pool.ts'

/** Number of records to create. */
export type SeededRecords = {
  exports: number
  jobs: number
  /**
   * Number of the latest records of each kind that have not ended. Their next read is due in a year, so that nothing
   * changes by itself. Default: 10.
   */
  active?: number
  /** `default_statistics_target` for these tables: the planner looks at 300 times as many records. Default: that of the server. */
  statistics?: number
  /**
   * Start of the newest record; the others started about four minutes apart before it. Milliseconds since the epoch.
   */
  now: number
}

const uuid = (seed: string) =>
  sql.raw(`overlay(overlay(md5('${seed}' || n) placing '4' from 13) placing 'a' from 17)::uuid`)
const one = (n: number) => sql.raw(String(Math.trunc(n)))

/**
 * Fills a table without its indexes, which are many times faster to build afterwards. All trouble until `settledUntil`
 * is settled.
 */
const fill = (db: Database, table: string, { rows, settledUntil }: { rows: SQL; settledUntil: Date }): Promise<void> =>
  db.transaction(async (tx) => {
    const { rows: indexes } = await tx.execute<{ name: string; definition: string }>(
      sql`select relname name, pg_get_indexdef(oid) definition from pg_index join pg_class on oid = indexrelid
        where indrelid = ${table}::regclass and not indisprimary`,
    )
    for (const { name } of indexes) await tx.execute(sql.raw(`drop index ${name}`))
    await tx.execute(rows)
    await tx.execute(
      sql`update ${sql.identifier(table)} set settled_trouble = troubled_at where troubled_at <= ${settledUntil.toISOString()}::timestamptz`,
    )
    for (const { definition } of indexes) await tx.execute(sql.raw(definition))
  })

/**
 * Fills the lists with records such as months of work leave behind: 400 domains, 150 repositories, a few failures,
 * refusals, lost answers and vanished jobs among them. The same arguments make the same records. Needs a migrated
 * database without such records.
 */
export const seedRecords = async (db: Database, records: SeededRecords): Promise<void> => {
  const { exports, jobs, active = 10, statistics, now } = records
  const at = (n: string) =>
    sql`${new Date(now).toISOString()}::timestamptz - ${sql.raw(n)} * interval '241.737 seconds'`
  const nextCheckAt = sql`case when n < ${one(active)} then ${at('-131400')} + n * interval '1 second' end`
  // All trouble is settled, except that of the last day.
  const settledUntil = new Date(now - 86_400_000)
  await fill(db, 'static_exports', {
    settledUntil,
    rows: sql`
    insert into static_exports (export_id, request_id, domain, version, state, job_id, status, progress, progress_is_percent, page_count,
      pages_per_second, reason, imported, started_at, finished_at, gone_at, bundle_size_bytes, bundle_sha256, checked_at, next_check_at,
      changing_since, unfinished_at, took_ms)
    select ${uuid('export')}, ${uuid('request')},
      (array['docs', 'help', 'api', 'developers', 'guides'])[1 + d % 5] || '.' ||
        (array['acme', 'globex', 'initech', 'umbra', 'northwind', 'contoso', 'hooli', 'vandelay'])[1 + d % 8] || '-' || d || '.example.com',
      case when r % 3 > 0 then 'v' || (1 + n % 9) || '.' || (n % 20) end, state,
      case when state not in ('refused', 'unknown') then 'exp_' || substr(md5('job' || n), 1, 24) end,
      case state when 'accepted' then 'running' when 'completed' then 'completed' when 'failed' then 'failed' end,
      case state when 'accepted' then n % 100 when 'completed' then 100 when 'failed' then r % 100 end, state in ('accepted', 'completed', 'failed'),
      case when state in ('accepted', 'completed') then 40 + d * 7 % 900 + n % 5 end,
      case when state = 'accepted' then 2.5 end,
      case state when 'failed' then 'The build of page ' || r || ' failed.' when 'refused' then 'Your plan does not include static exports.'
        when 'unknown' then 'Docket recorded no answer to the start, so the export may or may not be running.' end,
      r % 50 = 7, started, case when state in ('completed', 'failed', 'refused') then started + took end,
      case when r % 250 = 13 and n >= ${one(active)} and state = 'accepted' then started + interval '10 minutes' end,
      case when state = 'completed' then 1000000 + d * 9973 + n % 1000 end, case when r % 20 = 1 and state = 'completed' then md5('a' || n) || md5('b' || n) end,
      case when state not in ('refused', 'unknown') then started + took end, ${nextCheckAt},
      case when state not in ('refused', 'unknown') then started end, case when state in ('completed', 'failed') then started + took - interval '4 seconds' end,
      case when state = 'completed' and r % 50 <> 7 then extract(epoch from took) * 1000 end
    from (
      select n, (hashint4(n + 17) & 2147483647) % 400 d, (hashint4(n) & 2147483647) % 1000 r, ${at('n')} started,
        (60 + (hashint4(n + 17) & 2147483647) % 400 % 200 + n % 17.321) * interval '1 second' took,
        case when n < ${one(active)} or (hashint4(n) & 2147483647) % 250 = 13 then 'accepted' when (hashint4(n) & 2147483647) % 1000 < 60 then 'failed'
          when (hashint4(n) & 2147483647) % 1000 < 75 then 'refused' when (hashint4(n) & 2147483647) % 1000 < 77 then 'unknown' else 'completed' end state
      from generate_series(0, ${one(exports)} - 1) n) made`,
  })
  await fill(db, 'agent_jobs', {
    settledUntil,
    rows: sql`
    insert into agent_jobs (project_id, id, status, repository, ref, model, pr_link, created_at, archived_at, followed_at, finished_at, gone_at,
      checked_at, next_check_at, changing_since, unfinished_at, took_ms)
    select 'proj_' || substr(md5('project' || d % 40), 1, 12), 'job_' || substr(md5('agent' || n), 1, 20), status, repository, 'docs-agent/' || substr(md5('agent' || n), 1, 8),
      (array['sonnet-4', 'opus-4', 'haiku-4'])[1 + r % 3],
      case when status in ('completed', 'archived') and r % 10 > 1 then repository || '/pull/' || (1 + n / 7) end, followed - interval '5 seconds',
      case when status = 'archived' then followed + interval '1 day' end, followed,
      case when status <> 'active' then followed + took end,
      case when r % 250 = 13 and n >= ${one(active)} then followed + interval '1 hour' end, followed + took, ${nextCheckAt}, followed,
      case when status <> 'active' then followed + took - interval '4 seconds' end, case when status = 'completed' then extract(epoch from took) * 1000 end
    from (
      select n, d, r, followed, status, (120 + d % 300 + n % 17.321) * interval '1 second' took, case when r % 100 <> 3 then 'https://github.com/' || (array['acme', 'globex', 'initech', 'umbra'])[1 + d % 4] || '/' || (array['docs', 'handbook', 'site'])[1 + d % 3] || '-' || d end repository
      from (
        select n, (hashint4(n + 29) & 2147483647) % 150 d, (hashint4(n) & 2147483647) % 1000 r, ${at('n')} followed,
          case when n < ${one(active)} then 'active' when (hashint4(n) & 2147483647) % 1000 < 50 then 'failed' when (hashint4(n) & 2147483647) % 1000 < 350 then 'archived' else 'completed' end status
        from generate_series(0, ${one(jobs)} - 1) n) drawn) made`,
  })
  await bumpRevision(db, 'static_exports')
  await bumpRevision(db, 'agent_jobs')
  // Updates the planner's statistics at once.
  await db.execute(sql`vacuum static_exports, agent_jobs`)
  await db.transaction(async (tx) => {
    if (statistics !== undefined) await tx.execute(sql`set local default_statistics_target = ${one(statistics)}`)
    await tx.execute(sql`analyze static_exports, agent_jobs`)
  })
}

/** Like `seedRecords`, but for the migrated database at an address. */
export const seedRecordsAt = async (databaseUrl: string, records: SeededRecords): Promise<void> => {
  const pool = openPool(
    { connectionString: databaseUrl, max: 1, statement_timeout: 0, query_timeout: 0 },
    { warn: () => {} },
  )
  try {
    await seedRecords(drizzle(pool), records)
  } finally {
    await pool.end()
  }
}
