import { openPool } from '#apps/bff/src/ground/db/pool.ts'

type Config = Parameters<typeof openPool>[0]

/** Runs one query on a connection of its own. */
export const readRows = async <Row>(config: Config, query: string): Promise<Row[]> => {
  const pool = openPool({ ...config, application_name: 'docket-prove', max: 1 }, { warn: () => {} })
  try {
    return (await pool.query(query)).rows as Row[]
  } finally {
    await pool.end()
  }
}

/** An export as the database has it. */
export type ExportRow = {
  exportId: string
  requestId: string | null
  domain: string
  state: string
  jobId: string | null
  removed: boolean
}

/** Every export that the database has. */
export const exportRows = (config: Config): Promise<ExportRow[]> =>
  readRows(
    config,
    `select export_id as "exportId", request_id as "requestId", domain, state, job_id as "jobId", removed_at is not null as removed from static_exports`,
  )

/**
 * Describes incomplete changes: a running export without a job, a record without the event that created it, a list
 * whose counts differ from its records. A crash at any time must leave none.
 */
export const halves = async (config: Config): Promise<string[]> => {
  const found = await readRows<{ what: string }>(
    config,
    `select 'export ' || export_id || ' runs without a job' as what from static_exports where state = 'accepted' and job_id is null
     union all select 'export ' || export_id || ' was never requested' from static_exports e where not exists (
       select 1 from history_events h where h.record_key = e.export_id::text and h.kind = 'requested')
     union all select 'export ' || export_id || ' was removed by nobody' from static_exports e where removed_at is not null and not exists (
       select 1 from history_events h where h.record_key = e.export_id::text and h.kind = 'removed')
     union all select 'counts of ' || l.list || ' are ' || l.counts || ' and should be ' || c.counts from list_revisions l join (
       select 'static_exports' as list, coalesce(jsonb_object_agg(g, n), '{}') as counts from (
         select list_group g, count(*) n from static_exports where removed_at is null group by 1) e
       union all select 'agent_jobs', coalesce(jsonb_object_agg(g, n), '{}') from (
         select list_group g, count(*) n from agent_jobs where removed_at is null group by 1) j) c on c.list = l.list and c.counts <> l.counts`,
  )
  return found.map(({ what }) => what)
}
