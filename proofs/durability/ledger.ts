import { randomUUID } from 'node:crypto'
import { isDatabaseLate, type DocketClient } from '#proofs/harness/client.ts'
import { exportRows, readRows } from './database-rows.ts'

type Config = Parameters<typeof readRows>[0]
type Kept = { present: boolean | 'maybe'; jobId: string | null }

/** What Docket has acknowledged so far, to be found again whatever happened since. */
export type Ledger = {
  acknowledged: () => number
  clicks: () => number
  /** Asks for one change, any, and writes down what was acknowledged. Rejects when no answer came. */
  change: (client: DocketClient) => Promise<void>
  /** Acknowledged changes that the database does not have, in words. */
  lost: (config: Config) => Promise<string[]>
}

const pick = <T>(of: readonly T[]): T | undefined => of[Math.floor(Math.random() * of.length)]

/** A ledger of starts and removals of exports, and of follows and removals of agent jobs. */
export const openLedger = (): Ledger => {
  const exports = new Map<string, Kept>()
  const jobs = new Map<string, Kept>()
  let [acknowledged, clicks, made] = [0, 0, 0]

  const refused = async (what: string, response: Response): Promise<false> => {
    const body = await response.text()
    if (!isDatabaseLate(response.status, body)) throw new Error(`${what} was answered ${response.status} ${body}`)
    return false
  }
  const start = async (client: DocketClient): Promise<boolean> => {
    clicks += 1
    const domain = `docs-${(made += 1)}.example.com`
    const response = await client.post('/api/static-exports', { requestId: randomUUID(), domain })
    if (response.status !== 201) return refused('a start', response)
    const { export: started } = (await response.json()) as { export: { exportId: string; jobId: string | null } }
    exports.set(started.exportId, { present: true, jobId: started.jobId })
    return true
  }
  const follow = async (client: DocketClient): Promise<boolean> => {
    const id = `job-${(made += 1)}`
    const response = await client.post('/api/agent-jobs', { jobs: [{ projectId: 'docs', id }] })
    if (response.status !== 200) return refused('a follow', response)
    jobs.set(id, { present: true, jobId: null })
    return true
  }
  const remove = async (client: DocketClient): Promise<boolean> => {
    const [of, path] = Math.random() < 0.5 ? [exports, '/api/static-exports'] : [jobs, '/api/agent-jobs/docs']
    const here = [...of].filter(([, { present }]) => present === true)
    const [id, kept] = pick(here) ?? []
    if (id === undefined || kept === undefined) return start(client)
    // Until it is answered, it may or may not have happened.
    kept.present = 'maybe'
    const response = await client.delete(`${path}/${id}`)
    if (response.status !== 204) return refused('a removal', response)
    kept.present = false
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
      const compare = (id: string, { present }: Kept, row: { removed: boolean } | undefined): string[] => {
        if (row === undefined) return [`${id} is gone`]
        return present === 'maybe' || row.removed !== present ? [] : [`${id} is ${row.removed ? '' : 'not '}removed`]
      }
      return [
        ...[...exports].flatMap(([id, kept]) => {
          const row = rows.get(id)
          const forgot = row !== undefined && kept.jobId !== null && row.jobId !== kept.jobId
          return [...compare(id, kept, row), ...(forgot ? [`${id} forgot its job ${kept.jobId}`] : [])]
        }),
        ...[...jobs].flatMap(([id, kept]) => compare(id, kept, jobRows.get(id))),
      ]
    },
  }
}
