import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { noAgent, testRunner } from '@docket/doc-agent/runners/runner'
import { temporaryFolder, writeFolder } from '@docket/sources/testing/files'
import { expect, onTestFinished, test } from 'vitest'
import { startAgentJobs } from '#testing/agent-jobs.ts'

const pages = { 'index.md': 'See teh [guide](guide/Start.md), [gone](gone.md).\n', 'guide/start.md': '# Start\n' }

const start = async (files: Readonly<Record<string, string>> = pages) => {
  // Other tests have work folders of their own.
  const { TMPDIR } = process.env
  const temporary = await temporaryFolder()
  process.env.TMPDIR = temporary
  onTestFinished(() => void (TMPDIR === undefined ? delete process.env.TMPDIR : (process.env.TMPDIR = TMPDIR)))
  const jobs = await startAgentJobs(await writeFolder(files))
  const order = async (maintenance: object) => {
    const response = await jobs.call('POST', '/v2/agent/docs/job', { maintenance })
    const { id } = (await response.json()) as { id: string }
    return jobs.finished(id)
  }
  const preview = (maintenance: object) => jobs.call('POST', '/v2/agent/docs/maintenance/preview', { maintenance })
  return { ...jobs, order, preview }
}

/** Has the service start as it does outside of tests: without an agent. */
const withoutAgent = () => {
  const { current } = testRunner
  testRunner.current = null
  onTestFinished(() => void (testRunner.current = current))
}

const workFolders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('docket-work-')).length

test('without an agent, a prompt is refused with how to connect one, and maintenance works', async () => {
  withoutAgent()
  const { api, call, order, finished, readPull, readReport } = await start()
  expect(api.agent).toEqual({ configured: false })
  const refused = await call('POST', '/v2/agent/docs/job', { prompt: 'Fix links' })
  expect([refused.status, await refused.json()]).toEqual([400, { error: noAgent }])

  const job = await order({ action: 'fix_links', folder: '/' })
  expect(job).toMatchObject({ status: 'completed', model: 'maintenance, no model' })
  expect(await readPull(job.prLink!)).toContain('See teh [guide](guide/start.md), [gone](gone.md).')
  expect(await readReport(job.id)).toContain('index.md:1 gone.md — there is no such file')
  const send = (body: object) => call('POST', `/v2/agent/docs/job/${job.id}/message`, body)
  const followUp = await send({ prompt: 'shorter' })
  expect([followUp.status, await followUp.json()]).toEqual([400, { error: noAgent }])
  expect((await send({ maintenance: { action: 'fix_typos' } })).status).toBe(200)
  expect(await finished(job.id)).toMatchObject({ status: 'completed', model: 'maintenance, no model' })
})

test('with an agent, maintenance orders use the built-in runner with a matching preview, and prompts the agent', async () => {
  const { preview, order, run, call, readReport } = await start()
  const before = workFolders()
  const replace = { action: 'replace', find: '"', replacement: 'x' }
  expect(await (await preview(replace)).json()).toMatchObject({ files: 0, summary: '“"” is on no page.' })
  const found = await (await preview({ action: 'fix_links' })).json()
  expect(found).toEqual({
    summary: 'Fixed 1 link in 1 file. 1 broken link left for a person. Checked 2 links.',
    files: 1,
    occurrences: 1,
    examples: ['index.md:1 guide/Start.md → guide/start.md'],
    findings: 1,
    firstFindings: ['index.md:1 gone.md — there is no such file'],
    notes: [],
  })
  expect(workFolders()).toBeLessThanOrEqual(before)
  expect(await (await call('GET', '/v1/agent/docs/jobs')).json()).toEqual({ jobs: [] })
  const job = await order({ action: 'fix_links' })
  expect(job).toMatchObject({ model: 'maintenance, no model', status: 'completed' })
  expect(await readReport(job.id)).toContain((found as { summary: string }).summary)
  expect((await run('Fix typos')).job).toMatchObject({ model: 'scripted agent', status: 'completed' })
})

test('the preview refuses an order without a task or with an impossible one, with a readable message', async () => {
  const { preview } = await start()
  for (const [maintenance, status] of [
    [{}, 400],
    [{ action: 'format' }, 400],
    [{ action: 'replace', find: '', replacement: '' }, 400],
    [{ action: 'replace', find: 'a\u0000', replacement: '' }, 400],
    [{ action: 'move', from: 'nobody', to: 'x' }, 409],
    [{ action: 'fix_links', folder: '../..' }, 409],
  ] as const) {
    const answer = await preview(maintenance)
    const sentence = { error: expect.any(String) as unknown }
    expect([maintenance, answer.status, await answer.json()]).toEqual([maintenance, status, sentence])
  }
})

test('a file whose name is not UTF-8 does not fail a job, stays in the tree, and is named', async () => {
  const { api, order, readReport, dataDir } = await start()
  // Makes the repository.
  await api.codeHost.listPulls('docs', { state: 'all' })
  const git = (args: string[], input?: string | Buffer) =>
    execFileSync('git', ['--git-dir', join(dataDir, 'code-host/docs.git'), ...args], { input })
      .toString('latin1')
      .trim()
  const blob = git(['hash-object', '-w', '--stdin'], 'odd\n')
  const entries = Buffer.from(
    `100644 blob ${blob}\tcaf\xe9.md\x00100644 blob ${git(['rev-parse', 'main:index.md'])}\tindex.md\0`,
    'latin1',
  )
  const tree = git(['mktree', '-z'], entries)
  const commit = git(['-c', 'user.name=x', '-c', 'user.email=x@localhost', 'commit-tree', tree, '-m', 'x'])
  git(['update-ref', 'refs/heads/main', commit])
  const before = workFolders()
  const job = await order({ action: 'replace', find: 'See', replacement: 'Read' })
  expect(job).toMatchObject({ status: 'completed' })
  expect(await readReport(job.id)).toContain('Left as they were, because their names are not UTF-8: “caf\\xe9.md”.')
  expect(git(['ls-tree', '-z', '--name-only', `docs-agent/${job.id}`])).toBe('caf\xe9.md\0index.md\0')
  expect(workFolders()).toBeLessThanOrEqual(before)
})
