import { randomUUID } from 'node:crypto'
import { isDatabaseLate, type DocketClient } from '#apps/bff/src/testing/docket-client.ts'
import { exportRows, readRows } from './database-rows.ts'

type Config = Parameters<typeof readRows>[0]
type Expected = { present: boolean | 'maybe'; jobId: string | null }

/** Acknowledged changes, to check after any failure. */
export type Ledger = {
  acknowledged: () => number
  clicks: () => number
  /** Makes one random change and records its acknowledgement. Rejects without an answer. */
  change: (client: DocketClient) => Promise<void>
  /** Describes acknowledged changes that the database lacks. */
  lost: (config: Config) => Promise<string[]>
}

const pick = <T>(records: readonly T[]): T | undefined => records[Math.floor(Math.random() * records.length)]

/** A ledger of starts and removals of exports, and of follows and removals of agent jobs. */
export const openLedger = (): Ledger => {
  const exports = new Map<string, Expected>()
  const jobs = new Map<string, Expected>()
  let [acknowledged, clicks, count] = [0, 0, 0]

  const refused = async (what: string, response: Response): Promise<false> => {
    const body = await response.text()
    if (!isDatabaseLate(response.status, body)) throw new Error(`${what} was answered ${response.status} ${body}`)
    return false
  }
  const start = async (client: DocketClient): Promise<boolean> => {
    clicks += 1
    const domain = `docs-${(count += 1)}.example.com`
    const response = await client.post('/api/static-exports', { requestId: randomUUID(), domain })
    if (response.status !== 201) return refused('a start', response)
    const { export: started } = (await response.json()) as { export: { exportId: string; jobId: string | null } }
    exports.set(started.exportId, { present: true, jobId: started.jobId })
    return true
  }
  const follow = async (client: DocketClient): Promise<boolean> => {
    const id = `job-${(count += 1)}`
    const response = await client.post('/api/agent-jobs', { jobs: [{ projectId: 'docs', id }] })
    if (response.status !== 200) return refused('a follow', response)
    jobs.set(id, { present: true, jobId: null })
    return true
  }
  const remove = async (client: DocketClient): Promise<boolean> => {
    const [records, path] = Math.random() < 0.5 ? [exports, '/api/static-exports'] : [jobs, '/api/agent-jobs/docs']
    const here = [...records].filter(([, { present }]) => present === true)
    const [id, expected] = pick(here) ?? []
    if (id === undefined || expected === undefined) return start(client)
    // Before the answer, the removal may or may not have happened.
    expected.present = 'maybe'
    const response = await client.delete(`${path}/${id}`)
    if (response.status !== 204) return refused('a removal', response)
    expected.present = false
    return true
  }

  return {
    acknowledged: () => acknowledged,
    clicks: () => clicks,
    change: async (client) => {
      const draw = Math.random()
      if (await (draw < 0.5 ? start : draw < 0.8 ? follow : remove)(client)) acknowledged += 1
    },
    lost: async (config) => {
      const rows = new Map((await exportRows(config)).map((row) => [row.exportId, row]))
      const followed = await readRows<{ id: string; removed: boolean }>(
        config,
        'select id, removed_at is not null as removed from agent_jobs',
      )
      const jobRows = new Map(followed.map((row) => [row.id, row]))
      const compare = (id: string, { present }: Expected, row: { removed: boolean } | undefined): string[] => {
        if (row === undefined) return [`${id} is gone`]
        return present === 'maybe' || row.removed !== present ? [] : [`${id} is ${row.removed ? '' : 'not '}removed`]
      }
      return [
        ...[...exports].flatMap(([id, expected]) => {
          const row = rows.get(id)
          const forgot = row !== undefined && expected.jobId !== null && row.jobId !== expected.jobId
          return [...compare(id, expected, row), ...(forgot ? [`${id} forgot its job ${expected.jobId}`] : [])]
        }),
        ...[...jobs].flatMap(([id, expected]) => compare(id, expected, jobRows.get(id))),
      ]
    },
  }
}
