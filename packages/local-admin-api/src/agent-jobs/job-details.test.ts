import { runAction } from '@docket/code-hosts/embedded/pull-requests/actions'
import { writeFolder } from '@docket/sources/testing/files'
import { expect, test } from 'vitest'
import { parseAgentJob, toBranch } from '#agent-jobs/agent-job.ts'
import { readPullRequest, toDetails } from '#agent-jobs/job-details.ts'
import { startAgentJobs } from '#testing/agent-jobs.ts'
import { startService, writingRunner } from '#testing/agent-service.ts'

const nineFields = ['archivedAt', 'createdAt', 'id', 'model', 'prLink', 'source', 'status']

test('a job is returned with its details, and by a strict service with exactly nine fields', async () => {
  const folder = await writeFolder({ 'index.md': 'Price: 5\n' })
  const { api, call, dataDir, database, create, finished } = await startAgentJobs(folder)
  const working = await create('Wait 99 s\nFix links')
  const waiting = await create('Wait 0 s\n  Replace "Price" with "Cost"')
  const read = async (id: string) => (await call('GET', `/v2/agent/docs/job/${id}`)).json()
  // The first job waits, too, until it is taken.
  await expect
    .poll(() => read(waiting.id))
    .toMatchObject({
      status: 'active',
      title: 'Replace "Price" with "Cost"',
      queuePosition: 1,
      startedAt: null,
      pullRequest: null,
    })
  await expect.poll(() => read(working.id)).toMatchObject({ lastLine: expect.any(String) as unknown })
  expect(await read(working.id)).toMatchObject({
    title: 'Fix links',
    queuePosition: null,
    lastLine: expect.any(String) as unknown,
    error: null,
  })
  expect((await call('POST', `/v2/agent/docs/job/${working.id}/archive`)).status).toBe(409)
  const cancelled = await call('POST', `/v2/agent/docs/job/${working.id}/cancel`)
  expect(await cancelled.json()).toMatchObject({ status: 'failed', error: 'cancelled', report: null, lastLine: null })
  await finished(waiting.id)
  expect(await read(waiting.id)).toMatchObject({
    status: 'completed',
    report: 'Replaced “Price” with “Cost” 1 time in 1 page.\nChanged index.md:1 Price → Cost',
    error: null,
    finishedAt: expect.any(String) as unknown,
    diffStat: { files: 1, added: 1, removed: 1 },
    usage: null,
    pullRequest: {
      number: 1,
      title: 'Replace "Price" with "Cost"',
      state: 'open',
      checks: null,
      mergeable: true,
    },
  })
  const changes = await api.agentJobs.changes('docs', waiting.id)
  expect(changes).toMatchObject({ total: 1, diff: { totals: { files: 1, added: 1, removed: 1 } } })
  expect(await api.agentJobs.changes('docs', working.id)).toBe(null)
  const log = await (await call('GET', `/v2/agent/docs/job/${waiting.id}/log`)).json()
  expect(log).toMatchObject({
    isCut: false,
    ended: true,
    text: expect.stringMatching(/^--- Turn 1, .*Z ---\n/) as unknown,
  })
  expect((await call('POST', `/v2/agent/docs/job/${waiting.id}/cancel`)).status).toBe(409)
  const archived = await call('POST', `/v2/agent/docs/job/${waiting.id}/archive`)
  expect(await archived.json()).toMatchObject({ status: 'archived' })
  await api.close()

  const strict = await startAgentJobs(folder, { dataDir, database, strict: true })
  const bare = (await (await strict.call('GET', `/v2/agent/docs/job/${waiting.id}`)).json()) as Record<string, object>
  expect(Object.keys(bare).toSorted()).toEqual(nineFields)
  expect(Object.keys(bare.source!)).toEqual(['repository', 'ref'])
  for (const path of ['cancel', 'archive'])
    expect((await strict.call('POST', `/v2/agent/docs/job/${waiting.id}/${path}`)).status).toBe(404)
  expect((await strict.call('GET', `/v2/agent/docs/job/${waiting.id}/log`)).status).toBe(404)
  expect((await strict.call('GET', '/v2/agent/sentinel/job/merged')).status).toBe(404)
})

test('a job’s log has a line for each turn, and usage and checks are stored and summed', async () => {
  const output = Promise.withResolvers<void>()
  const runner: typeof writingRunner = {
    ...writingRunner,
    run: async (work, signal) => {
      work.onOutput(`Reading \u001b[1mindex.md\u001b[0m\nwriting ${work.prompt}`)
      if (work.prompt === 'one') await output.promise
      const { report } = await writingRunner.run(work, signal)
      const checks = { command: 'npm test', passed: false, output: ['1 test failed'] }
      return { report, usage: { inputTokens: 10, outputTokens: null, costUsd: 0.25 }, checks }
    },
  }
  const { service, create, finished, run, repositories } = await startService({ runner })
  const { id } = await create('one')
  const read = async () => (await service.get('docs', id))!
  while ((await service.live(await read())).lastLine !== 'writing one')
    await new Promise((resolve) => setTimeout(resolve, 5))
  expect(await service.readLog(await read(), 0)).toMatchObject({ ended: false })
  output.resolve()
  await finished(id)
  const job = await run('two', id)
  const { text, ended } = await service.readLog(job, 0)
  expect([text.match(/^--- Turn .*/gm)?.length, ended]).toEqual([2, true])
  expect(text).toMatch(/writing one.*Pushing [0-9a-f]{7} to docs-agent\/.*writing two/s)
  const pull = await readPullRequest(job, repositories)
  expect(toDetails(job, pull, await service.live(job))).toMatchObject({
    usage: { inputTokens: 20, outputTokens: null, costUsd: 0.5 },
    diffStat: { files: 2, added: 2, removed: 0 },
    lastLine: null,
  })
  expect(job.turns[0]!.checks).toMatchObject({ passed: false })
})

test('a job’s changes and state are correct after a merge, without its branch, and for an old record', async () => {
  const { service, run, repositories, project, write, dataDir, database, source } = await startService()
  const job = await run('page')
  const before = await service.changes('docs', job.id)
  expect(before?.diff.files.map(({ path, added }) => [path, added])).toEqual([['page.md', 1]])
  const repository = (await repositories.open('docs'))!
  const seenHead = job.turns[0]!.commit!
  for (const action of ['merge', 'delete-branch'] as const)
    await runAction(action, repository, { number: 1, seenHead, now: new Date() })
  expect(await project.readHead(toBranch(job))).toBe(null)
  expect(await service.changes('docs', job.id)).toEqual(before)
  expect(await readPullRequest(job, repositories)).toMatchObject({ state: 'merged', mergeable: null })
  expect(await service.changes('docs', 'nobody')).toBe(null)
  // At a code host elsewhere, an open one may be merged by now.
  const elsewhere = (state: 'open' | 'merged') =>
    readPullRequest(
      { projectId: 'docs', pullRequest: { ...job.pullRequest!, state } },
      { projectIds: [], open: () => Promise.reject(new Error('It has no repository.')) },
    )
  expect([await elsewhere('open'), await elsewhere('merged')]).toMatchObject([{ state: null }, { state: 'merged' }])

  // As an earlier version wrote it.
  const { prompt, sentAt, startedAt, finishedAt, outcome, report, commit } = job.turns[0]!
  const { number, url } = job.pullRequest!
  const oldTurn = { prompt, sentAt, startedAt, finishedAt, outcome, report, commit }
  const old = parseAgentJob({ ...job, turns: [oldTurn], pullRequest: { number, url } }, job.id)!
  expect(old).toMatchObject({ pullRequest: { state: null }, turns: [{ base: null, usage: null }] })
  await service.close()
  await write(old)
  const again = await startService({ dataDir, database, source })
  expect(await again.service.changes('docs', job.id)).toEqual(before)
})
