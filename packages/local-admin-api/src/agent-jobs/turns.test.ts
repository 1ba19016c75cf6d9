import { runAction } from '@docket/code-hosts/embedded/pull-requests/actions'
import { writeFolder } from '@docket/sources/testing/files'
import { commitTo } from '@docket/sources/testing/git-server'
import { expect, test } from 'vitest'
import { toBranch, type AgentJobRecord } from '#agent-jobs/agent-job.ts'
import { startAgentJobs } from '#testing/agent-jobs.ts'
import { startService } from '#testing/agent-service.ts'
import { nextChange } from '#testing/database.ts'

/** Merges a pull request of the embedded code host as a person does on its page. */
const merge = async ({ repositories }: Awaited<ReturnType<typeof startService>>, number: number, seenHead: string) => {
  const request = { number, seenHead, now: new Date() }
  expect(await runAction('merge', (await repositories.open('docs'))!, request)).toMatchObject({ sentence: null })
}

test('a message reactivates a finished job, and its work is added to the same branch and pull request', async () => {
  const { run, send, finished, readPull } = await startAgentJobs(await writeFolder({ 'index.md': 'Price: 5\n' }))
  const { job } = await run('Replace "Price" with "Cost"')
  const answer = await send(job.id, 'Replace "5" with "7"')
  expect(answer.status).toBe(200)
  expect(await answer.json()).toMatchObject({ id: job.id, status: 'active', prLink: job.prLink })
  const done = await finished(job.id)
  expect(done).toMatchObject({ status: 'completed', prLink: job.prLink })
  expect(await readPull(job.prLink!)).toContain('+Cost: 7')
})

test('a message after the merge starts from the merge commit and opens a new pull request', async () => {
  const started = await startService()
  const { run, project } = started
  const first = await run('one')
  await merge(started, 1, first.turns[0]!.commit!)
  commitTo(project.gitDir, 'main', { 'index.md': 'start\n', 'one.md': 'one\n', 'since.md': 'by others\n' })
  const second = await run('two', first.id)
  expect([first.pullRequest?.number, second.pullRequest?.number]).toEqual([1, 2])
  const head = (await project.readHead(toBranch(first)))!
  expect((await project.git(['diff', '--name-status', `main...${head}`])).trim()).toBe('A\ttwo.md')
  expect(await project.git(['ls-tree', '--name-only', head])).toBe('index.md\none.md\nsince.md\ntwo.md\n')
  // Nothing that was pushed before is thrown away.
  await project.git(['merge-base', '--is-ancestor', first.turns[0]!.commit!, head])
})

test('while the disk is nearly full, no job begins', async () => {
  const { call } = await startAgentJobs(await writeFolder({ 'index.md': 'x\n' }), { hasRoom: () => false })
  const refused = await call('POST', '/v2/agent/docs/job', { prompt: 'Move "nowhere" to "elsewhere"' })
  expect([refused.status, await refused.json()]).toEqual([424, { error: expect.stringContaining('full') as unknown }])
})

test('messages beyond a limit or to archived and unknown jobs are refused, and limits survive a restart', async () => {
  let time = Date.parse('2026-03-01T10:00:00Z')
  const options = { agent: { perHour: 2 }, now: () => new Date(time) }
  const folder = await writeFolder({ 'index.md': 'x\n' })
  const first = await startAgentJobs(folder, options)
  const prompt = 'Move "nowhere" to "elsewhere"'
  const { id } = await first.create(prompt)
  await first.finished(id)
  expect((await first.send('nobody', prompt)).status).toBe(404)
  expect((await first.call('POST', '/v2/agent/nobody/job', { prompt })).status).toBe(404)
  expect((await first.call('POST', `/v2/agent/other/job/${id}/message`, { prompt })).status).toBe(404)
  time += 600_000
  await first.create(prompt)
  await first.api.close()

  const { call, send, finished } = await startAgentJobs(folder, {
    ...options,
    dataDir: first.dataDir,
    database: first.database,
  })
  const create = () => call('POST', '/v2/agent/docs/job', { prompt })
  const refused = await create()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3000'])
  expect(await refused.json()).toEqual({ error: 'Too many requests for this project: try again in 3000 s' })
  // Messages have a limit of their own.
  expect([await send(id, prompt), await send(id, prompt), await send(id, prompt)].map(({ status }) => status)).toEqual([
    200, 200, 429,
  ])
  time += 3_000_000
  expect((await create()).status).toBe(201)
  expect((await create()).status).toBe(429)
  time += 3_600_000
  await finished(id)
  await call('POST', `/v2/agent/docs/job/${id}/archive`)
  const late = await send(id, prompt)
  expect([late.status, await late.json()]).toEqual([
    409,
    { error: 'The job is archived and accepts no more messages. Create a new one.' },
  ])
})

test('a job is archived a while after it finished, at the start and later, and an active job is not', async () => {
  const end = Date.parse('2026-03-01T10:00:00Z')
  let time = end
  const now = () => new Date(time)
  const { run, service, dataDir, database, source } = await startService({ now })
  const { id } = await run('one')
  const days = (number: number) => end + number * 86_400_000
  time = days(30) - 1
  await service.archiveOld()
  expect(await service.get('docs', id)).toMatchObject({ status: 'completed', archivedAt: null })
  time = days(30)
  await service.archiveOld()
  expect(await service.get('docs', id)).toMatchObject({ status: 'archived', archivedAt: now().toISOString() })
  const other = await run('two')
  await service.close()
  time = days(60)
  const hanging = { model: 'test', run: (_: unknown, signal: AbortSignal) => waitFor(signal) }
  const again = await startService({ dataDir, database, source, now, runner: hanging })
  expect(await again.service.get('docs', other.id)).toMatchObject({ status: 'archived' })
  const active = (await again.service.create('docs', 'three')) as AgentJobRecord
  time = days(100)
  await again.service.archiveOld()
  expect(await again.service.get('docs', active.id)).toMatchObject({ status: 'active' })
})

const waitFor = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))))

test('the branch of an archived job is removed once merged, unless it has commits by others', async () => {
  const started = await startService()
  const { run, service, project, dataDir, database, source } = started
  const [merged, open, theirs] = [await run('one'), await run('two'), await run('three')]
  const gone = async (job: AgentJobRecord) => (await project.readHead(toBranch(job))) === null
  const archive = (job: AgentJobRecord) => service.archive('docs', job.id)
  await merge(started, 1, merged.turns[0]!.commit!)
  await archive(merged)
  await archive(open)
  await merge(started, 3, theirs.turns[0]!.commit!)
  commitTo(project.gitDir, toBranch(theirs), { 'by-a-reviewer.md': 'x' })
  await archive(theirs)
  // One thing after the other is done in a project, so all of that is over when this is.
  await run('four')
  await service.close()
  expect([await gone(merged), await gone(open), await gone(theirs)]).toEqual([true, false, false])
  // Merged while nobody looked: the next start finds out.
  const head = (await project.readHead(toBranch(open)))!
  await merge(started, 2, head)
  const again = await startService({ dataDir, database, source })
  for (let changed = nextChange(database); !(await gone(open)); changed = nextChange(database)) await changed
  await again.service.close()
  expect(await gone(theirs)).toBe(false)
})

test('after a crash, pushed work gets its pull request, unpushed work fails, and queued work runs exactly once', async () => {
  const { run, write, project, service, dataDir, database, source } = await startService()
  const first = await run('one')
  const pushedTwice = await run('follow-up', (await run('two')).id)
  const pushedOnce = await run('three')
  await service.close()
  const asInterrupted = (job: AgentJobRecord, change: Partial<AgentJobRecord['turns'][number]> = {}) => ({
    ...job,
    status: 'active' as const,
    turns: job.turns.with(-1, { ...job.turns.at(-1)!, outcome: null, finishedAt: null, report: [], ...change }),
  })
  // Between the push and the pull request: as if it had never been opened.
  await project.git(['update-ref', '-d', 'refs/pull/1/record'])
  await project.git(['update-ref', '-d', 'refs/pull/1/head'])
  await write(asInterrupted({ ...first, pullRequest: null }))
  await write(asInterrupted(pushedTwice))
  // Its follow-up was noted, and never came to the branch that is there.
  const [done] = pushedOnce.turns
  const followUp = { ...done!, prompt: 'four', commit: first.turns[0]!.commit }
  await write(asInterrupted({ ...pushedOnce, turns: [done!, followUp] }))
  const copy = (id: string, change: Partial<AgentJobRecord['turns'][number]>) =>
    write({ ...asInterrupted({ ...first, pullRequest: null }, change), id })
  await copy('noted', {})
  await copy('begun', { commit: null })
  await copy('waiting', { commit: null, startedAt: null, prompt: 'waiting' })
  const heads = () => project.git(['for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads'])
  const before = await heads()

  const again = await startService({ dataDir, database, source })
  const status = async (id: string) => {
    const { status, pullRequest } = await again.finished(id)
    return [status, pullRequest?.number ?? null]
  }
  expect(await status(first.id)).toEqual(['completed', 4])
  expect(await status(pushedTwice.id)).toEqual(['completed', 2])
  expect(await status(pushedOnce.id)).toEqual(['failed', 3])
  expect(await status('noted')).toEqual(['failed', null])
  expect(await status('begun')).toEqual(['failed', null])
  expect(await status('waiting')).toEqual(['completed', 5])
  expect((await heads()).split('\n').filter((line) => !line.includes('docs-agent/waiting'))).toEqual(before.split('\n'))
})
