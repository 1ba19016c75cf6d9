import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { processesWith } from '@docket/sandbox/testing/open-sandbox'
import { writeFolder, temporaryFolder } from '@docket/sources/testing/files'
import { expect, onTestFinished, test } from 'vitest'
import { startAgentJobs } from '#testing/agent-jobs.ts'

const handbook = () => writeFolder({ 'index.md': 'Price: 5\n', 'guide/start.md': 'Price: 7\n' })

test('text is replaced literally, even if it looks like a pattern, and the report counts the replacements', async () => {
  const { run } = await startAgentJobs(await handbook())
  const { pull } = await run('Replace "Price: 5" with "$& $$5 $1"\nReplace “nowhere” with “x”\nReplace ": 7" with ""')
  expect(pull).toContain('+$& $$5 $1')
  expect(pull).toContain('Replaced “Price: 5” with “$& $$5 $1” 1 time in 1 page.')
  expect(pull).toContain('“nowhere” is on no page.')
  expect(pull).toContain('Removed “: 7” 1 time in 1 page.')
})

test('a page that is a symlink to a file outside the checkout is neither read nor written', async () => {
  const outside = join(await temporaryFolder(), 'secret.md')
  await writeFile(outside, 'secret words\n')
  const folder = await handbook()
  await symlink(outside, join(folder, 'link.md'))
  await symlink('/etc', join(folder, 'etc'))
  const { run, dataDir } = await startAgentJobs(folder)
  expect((await run('Replace "secret" with "stolen"')).page).toContain('“secret” is on no page.')

  // One that is in the repository all the same, as a clone of somebody else's could have it.
  const git = (args: string[], input?: string) =>
    execFileSync('git', ['--git-dir', join(dataDir, 'code-host/docs.git'), ...args], { input, encoding: 'utf8' }).trim()
  const blob = git(['hash-object', '-w', '--stdin'], outside)
  const tree = git(['mktree'], `120000 blob ${blob}\tlink.md\n`)
  git([
    'update-ref',
    'refs/heads/main',
    git(['-c', 'user.name=x', '-c', 'user.email=x@localhost', 'commit-tree', tree, '-m', 'x']),
  ])
  expect((await run('Replace "secret" with "stolen"')).job).toMatchObject({
    status: 'completed',
    prLink: null,
  })
  expect(await readFile(outside, 'utf8')).toBe('secret words\n')
})

test('a prompt cannot grow a page beyond the limit, and a page that is not UTF-8 keeps its bytes', async () => {
  const latin = Buffer.from('Pr\xe9cis: Price\n', 'latin1')
  // The page would be longer than any string.
  const { run } = await startAgentJobs(await writeFolder({ 'a.md': 'e'.repeat(150_000), 'b.md': latin }))
  const { job, page } = await run(`Replace "e" with "${'e'.repeat(4000)}"`)
  expect(job.status).toBe('failed')
  expect(page).toContain('too large')
  expect((await run('Replace "Price" with "Cost"')).page).toContain(
    'Not looked at, because too large or not UTF-8: b.md.',
  )
})

test('a prompt with a control character, only spaces, or more than 10,000 characters is refused with 400', async () => {
  const { call } = await startAgentJobs(await handbook())
  // The agent would understand them.
  const texts = ['\0', '\u001b[2J', 'x'.repeat(10_001)].map((text) => `Replace "a" with "${text}"`)
  for (const prompt of [...texts, ' \n '])
    expect([prompt, (await call('POST', '/v2/agent/docs/job', { prompt })).status]).toEqual([prompt, 400])
})

test('unusual prompts lead to a pull request or are refused with a readable message', async () => {
  const { run, call } = await startAgentJobs(await handbook())
  const emoji = '👩‍🚀'.repeat(60)
  expect((await run(`Replace "Price" with "-${emoji}\u202e"`)).job.prLink).not.toBeNull()
  const refuse = async (prompt: string) => {
    const answer = await call('POST', '/v2/agent/docs/job', { prompt })
    return [answer.status, ((await answer.json()) as { error: string }).error] as const
  }
  expect(await refuse('--upload-pack=touch /tmp/x')).toEqual([400, expect.stringContaining('is not understood')])
  expect(await refuse('Fix links\n'.repeat(51))).toEqual([400, expect.stringContaining('51 steps; 50 are the most')])
})

test('closing aborts a waiting step: its job fails, and the queued jobs run after the next start', async () => {
  const folder = await handbook()
  const { api, create, dataDir, database, readRecord } = await startAgentJobs(folder)
  const atWork = await create('Wait 99 s')
  const waiting = await create('Replace "Price" with "Cost"')
  await expect.poll(async () => (await readRecord(atWork.id)).turns[0]?.startedAt).not.toBeNull()
  await api.close()

  const again = await startAgentJobs(folder, { dataDir, database })
  expect(await again.read(atWork.id)).toMatchObject({ status: 'failed' })
  expect(await again.readReport(atWork.id)).toContain('The service stopped')
  expect(await again.finished(waiting.id)).toMatchObject({ status: 'completed', prLink: expect.any(String) as unknown })
})

test('many jobs at once each get a branch and a pull request of their own', async () => {
  const { create, finished } = await startAgentJobs(await handbook())
  const jobs = await Promise.all(['a', 'b', 'c', 'd'].map((word) => create(`Replace "Price" with "${word}"`)))
  const links = await Promise.all(jobs.map(async ({ id }) => (await finished(id)).prLink))
  expect(new Set(links).size).toBe(4)
  expect(links).not.toContain(null)
})

test('a finished job can be archived once and permanently; an active job cannot', async () => {
  const folder = await handbook()
  const { api, call, create, read, run, dataDir, database } = await startAgentJobs(folder)
  const { job } = await run('Replace "Price" with "Cost"')
  const archive = (id: string) => call('POST', `/v2/agent/docs/job/${id}/archive`)
  expect((await archive(job.id)).status).toBe(200)
  const archived = await read(job.id)
  expect(archived).toMatchObject({ status: 'archived', prLink: job.prLink, archivedAt: expect.any(String) as unknown })
  await archive(job.id)
  expect(await read(job.id)).toEqual(archived)
  const active = await create('Wait 99 s')
  await archive(active.id)
  expect(await read(active.id)).toMatchObject({ status: 'active' })
  expect((await archive('nobody')).status).toBe(404)
  await api.close()
  expect(await (await startAgentJobs(folder, { dataDir, database })).read(job.id)).toMatchObject({ status: 'archived' })
})

test('without git, jobs and the code host fail with the reason', async () => {
  const { api, run } = await startAgentJobs(await handbook())
  const { PATH } = process.env
  onTestFinished(() => void (process.env.PATH = PATH))
  process.env.PATH = await temporaryFolder()
  const { job, page } = await run('Fix links')
  expect(job.status).toBe('failed')
  expect(page).toContain('git is not installed on this machine')
  await expect(api.codeHost.listPulls('docs', { state: 'all' })).rejects.toThrow('git is not installed on this machine')
})

test('without bubblewrap, a job fails naming what to install, and its command is not run', async () => {
  const ran = join(await temporaryFolder(), 'ran')
  const { run } = await startAgentJobs(await handbook(), { agent: { command: `/usr/bin/touch ${ran}` } })
  const path = await temporaryFolder()
  const [git] = (process.env.PATH ?? '')
    .split(':')
    .map((folder) => join(folder, 'git'))
    .filter((file) => existsSync(file))
  await symlink(git!, join(path, 'git'))
  const { PATH } = process.env
  onTestFinished(() => void (process.env.PATH = PATH))
  process.env.PATH = path
  const { job, page } = await run('Go')
  expect(job).toMatchObject({ status: 'failed', prLink: null })
  expect(page).toContain('bubblewrap is not installed: apt-get install bubblewrap')
  expect(existsSync(ran)).toBe(false)
})

test('a recipe that takes too long is stopped together with its process', async () => {
  const { run } = await startAgentJobs(await writeFolder({ 'index.md': 'x' }), { agent: { minutes: 0.05 } })
  const { job, page } = await run('Wait 99 s')
  expect(job.status).toBe('failed')
  expect(page).toContain('it ran for more than')
  expect(processesWith('recipe-worker.ts').filter((pid) => isChild(pid))).toEqual([])
})

/** True for a child of this process; other tests have processes of their own. */
const isChild = (pid: string) => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === String(process.pid)
  } catch {
    return false
  }
}

test('a damaged record, a removed project or an unreadable repository does not prevent the start', async () => {
  const at = '2026-01-01T00:00:00.000Z'
  const turn = { prompt: 'Fix links', sentAt: at, startedAt: at, finishedAt: null, outcome: null, report: [] }
  const record = { status: 'active', model: 'x', pullRequest: null, createdAt: at, archivedAt: null }
  const interrupted = (id: string, projectId: string, commit: string | null) =>
    JSON.stringify({ id, projectId, ...record, turns: [{ ...turn, commit }] })
  const dataDir = await writeFolder({
    'agent-jobs/half.json': '{"id":',
    'agent-jobs/strange.json': '{"id":"strange","status":"active"}',
    'agent-jobs/other.json': interrupted('else', 'docs', null),
    'agent-jobs/one.json': interrupted('one', 'gone', null),
    'agent-jobs/two.json': interrupted('two', 'docs', 'a'.repeat(40)),
    'code-host/docs.git': 'not a repository',
  })
  const { finished, read } = await startAgentJobs(await handbook(), { dataDir })
  expect(await finished('one', 'gone')).toMatchObject({ status: 'failed' })
  expect(await finished('two')).toMatchObject({ status: 'failed' })
  expect(await read('strange')).toMatchObject({ error: 'Agent job not found' })
  const aside = await readdir(join(dataDir, 'agent-jobs.imported/set-aside'))
  expect(new Set(aside.map((name) => name.split('.')[0]))).toEqual(new Set(['half', 'other', 'strange']))
})
