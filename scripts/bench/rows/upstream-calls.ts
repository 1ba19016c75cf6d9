import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { load, read } from '#scripts/bench/harness/clients.ts'
import { runSql } from '#scripts/bench/harness/database.ts'
import { startScript } from '#scripts/bench/harness/processes.ts'
import { digits, line, type Line, type Row } from '#scripts/bench/harness/row.ts'
import { benchKey, type World } from '#scripts/bench/harness/world.ts'

const naiveProxy = join(import.meta.dirname, '..', 'servers', 'naive-proxy.ts')
const path = '/api/agent-jobs'
const pollMs = 2_000

/** Jobs that were followed an hour ago and never end, or that ended a week ago. */
const seedJobs = (jobs: number, kind: 'active' | 'finished') => (url: string) =>
  runSql(
    { connectionString: url },
    `insert into agent_jobs (project_id, id, status, repository, model, created_at, followed_at, finished_at, checked_at, changing_since, next_check_at)
     select 'bench', '${kind}-' || n, ${
       kind === 'active'
         ? "'active', 'https://github.com/acme/docs', 'bench', at, at, null, now(), at, now()"
         : "'completed', 'https://github.com/acme/docs', 'bench', at, at, at, at, at, null"
     }
     from (select n, now() - interval '${kind === 'active' ? '1 hour' : '7 days'}' - n * interval '1 ms' at from generate_series(0, ${jobs - 1}) n) made`,
  )

/** Reads of jobs a second that reach the service while `viewers` keep the first page of jobs on screen, on all replicas. */
const callsPerSecond = async (adminApi: string, addresses: readonly string[], viewers: number, seconds: number) => {
  const watching = addresses.map((address, place) => {
    const here = Math.floor((viewers + place) / addresses.length)
    if (here === 0) return Promise.resolve()
    return load({ urls: [address + path], connections: here, seconds: seconds + 6, everyMs: pollMs, conditional: true })
  })
  // Until every page has been asked for, and what is looked at has been noted and read more often.
  await delay(5_000)
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
  const dockets = await Promise.all(Array.from({ length: replicas }, () => world.docket(url)))
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

/** What viewers and replicas cost the service. */
export const upstreamCalls: Row = {
  name: 'upstream-calls',
  title: 'Calls of the Admin API',
  method:
    'A stand-in Admin API counts the reads while V viewers, spread over R Dockets on one database, keep the first page of J active jobs on screen (a poll every 2 s each). The budget is the largest there is, 1,000,000 calls an hour, so that intervals are short; the figure is the rate beside that of one viewer and one Docket. The naive proxy asks for every job at each poll of each viewer: measured for few, and V × J in all beyond.',
  run: async (world) => {
    const seconds = world.quick ? 5 : 8
    const settings: Setting[] = world.quick
      ? [
          { jobs: 10, replicas: 1, viewers: [1, 100] },
          { jobs: 100, replicas: 3, viewers: [1, 100] },
        ]
      : [10, 100, 1000].flatMap((jobs) => [
          { jobs, replicas: 1, viewers: jobs === 100 ? [1, 10, 100, 1000] : [1, 1000] },
          { jobs, replicas: 3, viewers: [1, 1000] },
        ])
    const lines: Line[] = []
    let alone = NaN
    for (const setting of settings) {
      const rates = await measure(world, setting, seconds)
      const { jobs, replicas, viewers } = setting
      const [one = NaN] = rates
      if (replicas === 1 || world.quick) alone = one
      const reference = (count: number) => `naive ${digits((count * jobs * 1000) / pollMs)}`
      const title = (count: number) =>
        `V ${count.toLocaleString('en')}, J ${jobs.toLocaleString('en')}, R ${replicas}: calls a second`
      for (const [place, count] of viewers.entries()) {
        if (place === 0) {
          const bar = replicas > 1 && !world.quick ? { atMost: 1.05 } : {}
          lines.push(line(title(count), digits(one), reference(count), one / alone, bar))
        } else
          lines.push(line(title(count), digits(rates[place]!), reference(count), rates[place]! / one, { atMost: 1.03 }))
      }
    }
    for (const viewers of [1, 10]) {
      const rate = await naive(world, 10, viewers, seconds)
      lines.push(
        line(
          `naive proxy measured: V ${viewers}, J 10: calls a second`,
          '–',
          `naive ${digits(rate)}`,
          rate / ((viewers * 10 * 1000) / pollMs),
        ),
      )
    }
    return [...lines, await finished(world, seconds)]
  },
}
