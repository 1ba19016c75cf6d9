import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { canary, startCodeHost } from '@docket/code-hosts/testing/code-host-servers'
import { commitTo, gitAt } from '@docket/sources/testing/git-server'
import { expect, test } from 'vitest'
import { toBranch, type AgentJobRecord } from '#agent-jobs/agent-job.ts'
import { isRefusal } from '#agent-jobs/agent-jobs.service.ts'
import { startService, writingRunner } from '#testing/agent-service.ts'

const readReport = (job: AgentJobRecord) => job.turns.at(-1)!.report

/** A service whose project is on a GitHub with real git. */
const startOnRemote = async (options: Parameters<typeof startService>[0] = {}) => {
  const host = await startCodeHost('github', { 'index.md': 'start\n' })
  const codeHosts = [{ kind: 'github', url: host.url, token: () => canary } as const]
  return { host, ...(await startService({ source: `git+${host.repository}`, codeHosts, ...options })) }
}

test('a pull request has the title, description, author and co-author that the repository requires', async () => {
  const author = { name: 'Docs bot', email: 'bot@example.com' }
  const { host, service, finished } = await startOnRemote({
    runner: {
      model: 'test',
      run: async (work, signal) => ({
        ...(await writingRunner.run({ ...work, prompt: 'page' }, signal)),
        report: ['Read it. @everyone', ...Array.from({ length: 300 }, (_, index) => `log ${index}`)],
        checks: { command: 'npm test', passed: true, output: [] },
      }),
    },
    rules: {
      author,
      committer: author,
      signOff: true,
      requester: 'co-author',
      title: 'docs({project}): {title}',
      draft: true,
      labels: ['docs'],
      jobPage: (projectId, jobId) => `https://docket.example.com/agent-jobs/${projectId}/${jobId}`,
    },
  })
  const made = await service.create('docs', 'Add a page\nabout #12', { name: 'Ana', email: 'ana@example.com' })
  const job = await finished((made as AgentJobRecord).id)
  expect(job).toMatchObject({ status: 'completed', pullRequest: { number: 1 } })
  expect(host.pulls[0]).toMatchObject({ title: 'docs(docs): Add a page', more: { draft: true, labels: ['docs'] } })
  const body = String(host.pulls[0]!.more!.body)
  expect(body).toMatch(/^Read it\. @\u200beveryone\n/)
  expect(body).toContain('**Checks passed:** `npm test`')
  expect(body).toContain('> about #\u200b12')
  expect(body).toContain(
    `Asked for by Ana.\n\n[Job ${job.id.slice(0, 8)} in Docket](https://docket.example.com/agent-jobs/docs/${job.id})`,
  )
  const message = gitAt(host.gitDir, ['log', '-1', '--format=%an%n%B', toBranch(job)])
  expect(message).toContain('Docs bot\ndocs(docs): Add a page\n\nRead it.')
  expect(message).toMatch(/Co-authored-by: Ana <ana@example\.com>\nSigned-off-by: Docs bot <bot@example\.com>$/)
  expect(message).not.toContain('log 50')
})

test('beyond the limit of open pull requests, new jobs are refused or fail, and follow-ups still run', async () => {
  const { service, run, finished, host } = await startOnRemote({ rules: { openPullRequests: 1 } })
  // Both are created before either has a pull request, and either may be the first in line.
  const both = await Promise.all(['one', 'two'].map((prompt) => service.create('docs', prompt)))
  const ended = await Promise.all(both.map((job) => finished((job as AgentJobRecord).id)))
  const [done, late] = ended.toSorted((a, b) => a.status.localeCompare(b.status)) as [AgentJobRecord, AgentJobRecord]
  expect(done.status).toBe('completed')
  const sentence =
    'Docket has 1 open pull request in this project, and AGENT_OPEN_PULL_REQUESTS allows 1. Merge or close one, then try again.'
  expect([late.status, ...readReport(late)]).toEqual(['failed', sentence])
  expect(await service.create('docs', 'three')).toEqual({ kind: 'conflict', sentence })
  expect((await run('more', done.id)).status).toBe('completed')
  host.pulls[0]!.state = 'closed'
  const after = await service.create('docs', 'four')
  expect(isRefusal(after)).toBe(false)
})

test('commits by others on the branch are kept and reported, and so is a rewritten branch', async () => {
  const { run, host } = await startOnRemote()
  const job = await run('one')
  const branch = toBranch(job)
  for (const name of ['a', 'b']) commitTo(host.gitDir, branch, { 'index.md': 'start\n', 'one.md': name })
  const theirs = gitAt(host.gitDir, ['rev-parse', branch])
  const second = await run('two', job.id)
  expect(readReport(second)).toEqual(['2 commits by somebody else are on the branch; they were kept.', 'Wrote two.'])
  expect(gitAt(host.gitDir, ['rev-parse', `${branch}^`])).toBe(theirs)
  // They are news once.
  expect(readReport(await run('three', job.id))).toEqual(['Wrote three.'])
  commitTo(host.gitDir, branch, { 'index.md': 'anew\n' }, { from: 'main' })
  expect(readReport(await run('four', job.id))).toEqual([
    'Somebody rewrote the branch of this job. It was kept as it is now.',
    '1 commit by somebody else is on the branch; it was kept.',
    'Wrote four.',
  ])
})

test('a commit that others push while a job runs is never overwritten', async () => {
  const host = await startCodeHost('github', { 'index.md': 'start\n' })
  let branch = ''
  const { run } = await startService({
    source: `git+${host.repository}`,
    codeHosts: [{ kind: 'github', url: host.url, token: () => canary }],
    runner: {
      model: 'test',
      run: async ({ prompt, checkout, jobId }) => {
        branch = `docs-agent/${jobId}`
        if (prompt === 'two') commitTo(host.gitDir, branch, { 'by-a-reviewer.md': 'x' })
        await writeFile(join(checkout, `${prompt}.md`), prompt)
        return { report: [], usage: null, checks: null }
      },
    },
  })
  const job = await run('one')
  const second = await run('two', job.id)
  expect([second.status, ...readReport(second)]).toEqual([
    'failed',
    expect.stringMatching(/has commits on 127\.0\.0\.1:\d+ that this job does not know\. They were left/),
  ])
  expect(gitAt(host.gitDir, ['ls-tree', '--name-only', branch])).toBe('by-a-reviewer.md')
})

test('a rewritten base or one without a common commit is named first in the report', async () => {
  const { run, host } = await startOnRemote()
  const root = gitAt(host.gitDir, ['rev-parse', 'main'])
  const old = commitTo(host.gitDir, 'main', { 'index.md': 'old\n' })
  const job = await run('one')
  commitTo(host.gitDir, 'main', { 'index.md': 'rewritten\n' }, { from: root })
  expect(readReport(await run('two', job.id))).toEqual([
    `main was rewritten since this job began: ${old.slice(0, 7)} is no longer part of it. The pull request may show commits that were removed there.`,
    'Wrote two.',
  ])
  commitTo(host.gitDir, 'main', { 'index.md': 'unrelated\n' }, { from: null })
  const [first, ...rest] = readReport(await run('three', job.id))
  expect(first).toMatch(/^The branch and main have no commit in common any more.* Create a new job to begin from main/)
  expect(rest).toEqual(['Wrote three.'])
})
