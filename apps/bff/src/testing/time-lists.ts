import type { StaticExportListQuery } from '@docket/api-types/static-exports'
import { drizzle } from 'drizzle-orm/node-postgres'
import { openPool } from '#ground/db/pool.ts'
import { everything, type TokenScope } from '#ground/http/access/token-scope.ts'
import { readExportPage } from '#records/static-exports/static-exports.list.ts'

type Question = { query: Partial<StaticExportListQuery>; scope?: (domain: string) => TokenScope }
type Values = { domain: string; jobId: string; deepCursor: string }

/** Pages with all their counts, as the list requests them from the database. */
const questions: Readonly<Record<string, (values: Values) => Question>> = {
  'first page': () => ({ query: {} }),
  'deep page': ({ deepCursor }) => ({ query: { cursor: deepCursor } }),
  'first page of failed exports': () => ({ query: { group: 'failed' } }),
  'first page for a token of one domain': ({ domain }) => ({
    query: {},
    scope: () => ({ ...everything, domains: [domain] }),
  }),
  'filter by one domain': ({ domain }) => ({ query: { domain } }),
  'search that finds one export': ({ jobId }) => ({ query: { q: jobId } }),
  'search that finds nothing': () => ({ query: { q: 'nowhere' } }),
  'search that finds one export of 400': ({ domain }) => ({ query: { q: domain.split('.')[1]! } }),
  'search that finds every export': () => ({ query: { q: 'example' } }),
}

const timeLimitMs = 60_000

/** Names of the queries that `openLists` can run. */
export const listQuestions: readonly string[] = Object.keys(questions)

/** Opens a seeded database and reads pages of exports, without HTTP and without Docket's caches. */
export const openLists = async (url: string) => {
  const limits = { statement_timeout: timeLimitMs, query_timeout: timeLimitMs }
  const pool = openPool({ connectionString: url, max: 4, ...limits }, { warn: () => {} })
  const { rows } = await pool.query<{ domain: string; job_id: string; started_at: Date; export_id: string }>(
    `select domain, job_id, started_at, export_id from static_exports where removed_at is null and job_id is not null
      order by started_at desc offset (select reltuples / 2 from pg_class where oid = 'static_exports'::regclass)::bigint limit 1`,
  )
  const { domain, job_id: jobId, started_at: at, export_id: exportId } = rows[0]!
  const deepCursor = Buffer.from(JSON.stringify([at.getTime(), [exportId]])).toString('base64url')
  const values = { domain, jobId, deepCursor }
  const db = drizzle(pool)
  return {
    /** Runs the query once and returns its duration in milliseconds. */
    ask: async (name: string): Promise<number> => {
      const { query, scope } = questions[name]!(values)
      const visible = scope === undefined ? everything : scope(domain)
      const startMs = performance.now()
      await readExportPage(db, { limit: 50, sort: 'newest', ...query }, visible)
      return performance.now() - startMs
    },
    /** The table and its indexes with their sizes in bytes, largest first. */
    sizes: async () => {
      const found = await pool.query<{ name: string; size: number }>(
        `select relname as name, pg_relation_size(oid)::float8 as size from pg_class
          where oid = 'static_exports'::regclass or oid in (select indexrelid from pg_index where indrelid = 'static_exports'::regclass)
          order by size desc`,
      )
      return found.rows
    },
    close: () => pool.end(),
  }
}
