import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { load, read } from '#bench/harness/clients.ts'
import { runSql } from '#bench/harness/database.ts'
import { startScript } from '#bench/harness/processes.ts'
import { digits, line, type Line, type Row } from '#bench/harness/row.ts'
import { benchKey, type World } from '#bench/harness/world.ts'

const naiveProxy = join(import.meta.dirname, '..', 'servers', 'naive-proxy.ts')
const path = '/api/agent-jobs'
const pollMs = 2_000
const settleMs = 4_500
const callsPerHour = 72_000
/** Interval between two reads of a young job on screen. */
const floorSeconds = 2

/** Jobs that were followed ten minutes ago and never end, or that ended a week ago. */
const seedJobs = (jobs: number, kind: 'active' | 'finished') => (url: string) =>
  runSql(
    { connectionString: url },
    `insert into agent_jobs (project_id, id, status, repository, model, created_at, followed_at, finished_at, checked_at, changing_since, next_check_at)
     select 'bench', '${kind}-' || n, ${
       kind === 'active'
         ? "'active', 'https://github.com/acme/docs', 'bench', began, began, null, now(), began, now()"
         : "'completed', 'https://github.com/acme/docs', 'bench', began, began, began, began, began, null"
     }
     from (select n, now() - interval '${kind === 'active' ? '10 minutes' : '7 days'}' - n * interval '1 ms' began from generate_series(0, ${jobs - 1}) n) made`,
  )

/**
 * Reads of jobs a second that reach the service while `viewers` keep the first page of jobs on screen, on all replicas.
 */
const callsPerSecond = async (adminApi: string, addresses: readonly string[], viewers: number, seconds: number) => {
  const watching = addresses.map((address, place) => {
    const here = Math.floor((viewers + place) / addresses.length)
    if (here === 0) return Promise.resolve()
    return load({
      urls: [address + path],
      connections: here,
      seconds: seconds + settleMs / 1000 + 1,
      everyMs: pollMs,
      conditional: true,
    })
  })
  // Until every page has been asked for, and what is looked at has been noted and read more often.
  await delay(settleMs)
  await fetch(`${adminApi}/bench`, { method: 'POST' })
  await delay(seconds * 1000)
  const { agentJobs, seconds: took } = await read<{ agentJobs: number; seconds: number }>(adminApi, '/bench')
  await Promise.all(watching)
  return agentJobs / took
}

type Setting = { jobs: number; replicas: number; viewers: readonly number[] }

const measure = async (world: World, { jobs, replicas, viewers }: Setting, seconds: number) => {
  const adminApi = (await world.adminApi()).address
  const url = await (await world.databases()).database(seedJobs(jobs, 'active'))
  const dockets = await Promise.all(
    Array.from({ length: replicas }, () => world.docket(url, { ADMIN_API_CALLS_PER_HOUR: String(callsPerHour) })),
  )
  const rates: number[] = []
  for (const count of viewers)
    rates.push(
      await callsPerSecond(
        adminApi,
        dockets.map(({ address }) => address),
        count,
        seconds,
      ),
    )
  for (const docket of dockets) await docket.stop()
  return rates
}

const naive = async (world: World, jobs: number, viewers: number, seconds: number) => {
  const adminApi = (await world.adminApi()).address
  const proxy = await startScript(naiveProxy, { adminApi, key: benchKey, jobs })
  const rate = await callsPerSecond(adminApi, [proxy.address], viewers, seconds)
  await proxy.stop()
  return rate
}

const finished = async (world: World, seconds: number): Promise<Line> => {
  const adminApi = (await world.adminApi()).address
  const docket = await world.docket(await (await world.databases()).database(seedJobs(1000, 'finished')))
  const rate = await callsPerSecond(adminApi, [docket.address], 10, seconds)
  await docket.stop()
  return line('1,000 finished jobs, 10 viewers: calls', digits(rate * seconds), '', rate * seconds, { atMost: 0 })
}

/** Measures the calls that viewers and replicas cost the service. */
export const upstreamCalls: Row = {
  name: 'upstream-calls',
  title: 'Calls of the Admin API',
  method:
    'A stand-in Admin API counts the reads while V viewers, spread over R Dockets on one database, have the first page of J active jobs on screen and each poll every 2 s. The budget is 20 calls per second. Ten jobs need less; a hundred and a thousand jobs share it. We compare one Docket with one viewer, and three Dockets, with the plan: one call per job every two seconds, or the budget. More viewers are compared with one. A naive proxy reads every job at every poll of every viewer. Its calls are measured for small numbers, and V × J beyond.',
  run: async (world) => {
    const seconds = world.quick ? 10 : 20
    const lines: Line[] = []
    for (const jobs of world.quick ? [10, 100] : [10, 100, 1000]) {
      const counts = world.quick ? [1, 100] : jobs === 100 ? [1, 10, 100, 1000] : [1, 1000]
      const rates = await measure(world, { jobs, replicas: 1, viewers: counts }, seconds)
      const shared = await measure(world, { jobs, replicas: 3, viewers: counts.slice(-1) }, seconds)
      const [one = NaN] = rates
      const plan = Math.min(jobs / floorSeconds, callsPerHour / 3600)
      const row = (viewers: number, replicas: number, rate: number, expected: number, atMost: number) =>
        line(
          `V ${viewers.toLocaleString('en')}, J ${jobs.toLocaleString('en')}, R ${replicas}: calls per second`,
          digits(rate),
          `${expected === plan ? 'planned' : 'V 1:'} ${digits(expected)}; naive ${digits((viewers * jobs * 1000) / pollMs)}`,
          rate / expected,
          { atMost },
        )
      lines.push(
        row(1, 1, one, plan, 1.05),
        ...counts.slice(1).map((viewers, place) => row(viewers, 1, rates[place + 1]!, one, 1.03)),
        row(counts.at(-1)!, 3, shared[0]!, plan, 1.05),
      )
    }
    for (const viewers of [1, 10]) {
      const rate = await naive(world, 10, viewers, seconds)
      lines.push(
        line(
          `naive proxy measured: V ${viewers}, J 10: calls per second`,
          '–',
          `naive ${digits(rate)}`,
          rate / ((viewers * 10 * 1000) / pollMs),
        ),
      )
    }
    return [...lines, await finished(world, seconds)]
  },
}
