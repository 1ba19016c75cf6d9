import { seedRecordsAt } from '#apps/bff/src/testing/seed-records.ts'
import { expectStatuses, load, read } from '#bench/harness/clients.ts'
import type { BenchProcess } from '#bench/harness/processes.ts'
import { digits, line, type Row } from '#bench/harness/row.ts'
import { inTurns, median, quantile } from '#bench/harness/statistics.ts'

type Values = { domain: string; repository: string; cursor: string }

/** Queries that people send to lists. */
const questions: Readonly<Record<string, (values: Values) => string>> = {
  'first page of exports': () => '/api/static-exports',
  'second page': ({ cursor }) => `/api/static-exports?cursor=${encodeURIComponent(cursor)}`,
  'failed exports': () => '/api/static-exports?group=failed',
  'one domain': ({ domain }) => `/api/static-exports?domain=${domain}`,
  'failed of one domain': ({ domain }) => `/api/static-exports?group=failed&domain=${domain}`,
  'sorted by domain': () => '/api/static-exports?sort=domain',
  'oldest first': () => '/api/static-exports?sort=oldest',
  'needs attention': () => '/api/static-exports?attention=true',
  'a rare word': ({ domain }) => `/api/static-exports?q=${domain.split('.')[1]}`,
  'a word of all exports': () => '/api/static-exports?q=example',
  'two words': () => '/api/static-exports?q=docs%20acme',
  'first page of agent jobs': () => '/api/agent-jobs',
  'archived jobs': () => '/api/agent-jobs?group=archived',
  'one repository': ({ repository }) => `/api/agent-jobs?repository=${encodeURIComponent(repository)}`,
  'one model': () => '/api/agent-jobs?model=opus-4',
  'words of jobs': () => '/api/agent-jobs?q=acme%20docs',
}

const readValues = async ({ address }: BenchProcess): Promise<Values> => {
  type Page = { items: { domain: string }[]; nextCursor: string | null }
  type Jobs = { items: { source: { repository: { text: string } | null } }[] }
  const exports = await read<Page>(address, '/api/static-exports')
  const jobs = await read<Jobs>(address, '/api/agent-jobs')
  return {
    domain: exports.items[20]?.domain ?? '',
    cursor: exports.nextCursor ?? '',
    repository: jobs.items.find(({ source }) => source.repository !== null)?.source.repository?.text ?? '',
  }
}

/** Lists of many records. */
export const lists: Row = {
  name: 'lists',
  title: 'Lists of many records',
  method:
    'One client requests pages of 50 from 10,000 and from 100,000 exports and as many agent jobs, in turns, without an ETag. It repeats the same requests, so most responses are cached, and only the first of each round is sure to query the database. Each number is the median over all rounds of the median of a round. The figure compares the two sizes.',
  run: async (world) => {
    const databases = await world.databases()
    const start = async (count: number) =>
      world.docket(
        await databases.database((url) =>
          seedRecordsAt(url, { exports: count, jobs: count, active: 10, now: Date.now() }),
        ),
      )
    const [small, large] = [await start(10_000), await start(100_000)]
    const ask = (docket: BenchProcess, values: Values, question: (values: Values) => string) => async () => {
      const result = await load({
        urls: [docket.address + question(values)],
        connections: 1,
        requests: world.quick ? 15 : 60,
      })
      expectStatuses(result, 200)
      return { p50: median(result.latencies), p95: quantile(result.latencies, 0.95) }
    }
    const [few, many] = [await readValues(small), await readValues(large)]
    const lines = []
    for (const [name, question] of Object.entries(questions)) {
      const measured = await inTurns(world.quick ? 2 : 5, {
        small: ask(small, few, question),
        large: ask(large, many, question),
      })
      const readMedian = (size: 'small' | 'large', what: 'p50' | 'p95') =>
        median(measured[size].map((one) => one[what]))
      lines.push(
        line(
          `${name}, 100,000: ms (95 % within)`,
          `${digits(readMedian('large', 'p50'))} (${digits(readMedian('large', 'p95'))})`,
          `10,000: ${digits(readMedian('small', 'p50'))} (${digits(readMedian('small', 'p95'))})`,
          readMedian('large', 'p50') / readMedian('small', 'p50'),
        ),
      )
    }
    await Promise.all([small.stop(), large.stop()])
    return lines
  },
}
