import { writeFolder } from '@docket/sources/testing/files'
import { listPullRequests } from '@docket/code-hosts/embedded/pull-requests/pull-requests'
import { expect, test } from 'vitest'
import { isRefusal } from '#agent-jobs/agent-jobs.service.ts'
import { startService, writingRunner } from '#testing/agent-service.ts'

test('8 jobs on 4 projects open exactly 8 pull requests, at most two jobs at a time', async () => {
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

test('beyond the daily cost limit, prompts are refused with the time it resets, and maintenance still works', async () => {
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
