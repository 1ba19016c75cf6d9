import { writeFolder } from '@docket/sources/testing/files'
import { listPullRequests } from '@docket/code-hosts/embedded/pull-requests/pull-requests'
import { expect, test } from 'vitest'
import { isRefusal } from '#agent-jobs/agent-jobs.service.ts'
import { jobQueue } from '#agent-jobs/queue/job-queue.ts'
import { startService, writingRunner } from '#testing/agent-service.ts'

/** A queue whose tasks last until `end` is called, with the ids of those that began. */
const startQueue = (atOnce: number) => {
  const queue = jobQueue(atOnce)
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const add = (id: string, kind: 'work' | 'upkeep' = 'work') =>
    queue.add({
      id,
      // The first letter is the project.
      projectId: id[0]!,
      kind,
      run: () => {
        begun.push(id)
        return new Promise((resolve) => ends.set(id, resolve))
      },
    })
  const end = async (id: string) => {
    ends.get(id)!()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { queue, begun, add, end }
}

test('work begins oldest first, one at a time in a project, and positions say what is next', async () => {
  const { queue, begun, add, end } = startQueue(2)
  for (const id of ['a1', 'a2', 'b1', 'c1', 'b2', 'a3']) add(id)
  expect(begun).toEqual(['a1', 'b1'])
  const places = () => ['a1', 'a2', 'b1', 'c1', 'b2', 'a3'].map(queue.position)
  expect(places()).toEqual([null, 1, null, 2, 3, 4])
  await end('b1')
  // The older one of `a` waits for its project, so it does not hold the place.
  expect(begun).toEqual(['a1', 'b1', 'c1'])
  queue.drop('a2')
  expect(places()).toEqual([null, null, null, null, 1, 2])
  await end('c1')
  await end('a1')
  expect(begun).toEqual(['a1', 'b1', 'c1', 'b2', 'a3'])
})

test('a job that hangs holds its own project only, and upkeep takes no place', async () => {
  const { queue, begun, add, end } = startQueue(2)
  for (const id of ['a1', 'a2', 'b1', 'b2', 'c1']) add(id)
  add('d0', 'upkeep')
  expect(begun).toEqual(['a1', 'b1', 'd0'])
  for (const id of ['b1', 'b2']) await end(id)
  expect(begun).toEqual(['a1', 'b1', 'd0', 'b2', 'c1'])
  expect(queue.position('a2')).toBe(1)
})

test('8 jobs on 4 projects have 8 pull requests, none twice, at most two at a time', async () => {
  const ids = ['a', 'b', 'c', 'd']
  const sources = Object.fromEntries(
    await Promise.all(ids.map(async (id) => [id, await writeFolder({ 'index.md': `${id}\n` })] as const)),
  )
  let [now, most] = [0, 0]
  const runner: typeof writingRunner = {
    ...writingRunner,
    run: async (...order) => {
      most = Math.max(most, (now += 1))
      return writingRunner.run(...order).finally(() => (now -= 1))
    },
  }
  const { create, finished, repositories } = await startService({ sources, runner })
  const jobs = await Promise.all(
    Array.from({ length: 8 }, (_, index) => create(`page-${index}`, ids[index % ids.length])),
  )
  const done = await Promise.all(jobs.map(({ id, projectId }) => finished(id, projectId)))
  expect(done.map(({ status }) => status)).toEqual(jobs.map(() => 'completed'))
  const pulls = await Promise.all(ids.map(async (id) => listPullRequests((await repositories.open(id))!)))
  expect(pulls.map((all) => new Set(all.map(({ title }) => title)).size)).toEqual([2, 2, 2, 2])
  expect(pulls.flat()).toHaveLength(8)
  expect(most).toBeLessThanOrEqual(2)
})

test('once a day has cost its limit, prompts fail or are refused with the time it opens again, and maintenance goes on', async () => {
  let time = Date.parse('2026-03-01T23:30:00Z')
  const usage = { inputTokens: 1000, outputTokens: 100, costUsd: 1.5 }
  const runner: typeof writingRunner = {
    ...writingRunner,
    run: async (...order) => ({ ...(await writingRunner.run(...order)), usage }),
  }
  const { service, create, finished, run } = await startService({
    runner,
    now: () => new Date(time),
    limits: { dayMaxUsd: 3 },
  })
  const jobs = [await create('one'), await create('two'), await create('three')]
  const ended = await Promise.all(jobs.map(({ id }) => finished(id)))
  expect(ended.map(({ status }) => status)).toEqual(['completed', 'completed', 'failed'])
  const sentence =
    'Agents have used $3.00 today, and the limit is $3.00 a day (AGENT_DAY_MAX_COST). New work can start at 2026-03-02 00:00 UTC.'
  expect(ended[2]!.turns[0]!.report).toEqual([sentence])
  for (const refused of [await service.create('docs', 'four'), await service.send('docs', jobs[0]!.id, 'four')])
    expect(isRefusal(refused) && refused).toEqual({ kind: 'too-many', retryAfter: 1800, sentence })
  const order = await service.create('docs', 'Fix typos', null, { action: 'fix_typos' })
  expect(isRefusal(order) || (await finished(order.id)).status).toBe('completed')
  time += 1_800_000
  expect((await run('four')).status).toBe('completed')
})
