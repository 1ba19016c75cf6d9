import { execFileSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@docket/sources/testing/files'
import { commitTo, gitAt, startServer } from '@docket/sources/testing/git-server'
import { expect, test } from 'vitest'
import { canary, startCodeHost, type Kind } from '#testing/code-host-servers.ts'
import type { Project } from './code-host.ts'
import { openProjects } from './projects.ts'

const pages = { 'docs/index.md': '# Handbook\n', 'README.md': 'x\n' }

/** A project on a code host, with the pauses it made instead of waiting. */
const projectOn = async (host: { url: string; repository: string }, kind: Kind, fragment = '', token = canary) => {
  const dataDir = await temporaryFolder()
  const pauses: number[] = []
  const { projects } = openProjects({
    sources: { handbook: `git+${host.repository}${fragment}` },
    codeHosts: [{ kind, url: host.url, token: () => token }],
    place: (...names) => join(dataDir, ...names),
    now: () => new Date(),
    pause: async (ms) => void pauses.push(ms),
  })
  return { project: (await projects.open('handbook'))!, dataDir, pauses }
}

/** A commit on top of `parent`, as a job makes it. */
const commitOn = async ({ git }: Project, parent: string, text: string) => {
  const blob = (await git(['hash-object', '-w', '--stdin'], { input: text })).trim()
  const tree = (await git(['mktree'], { input: `100644 blob ${blob}\tindex.md\n` })).trim()
  return (await git(['commit-tree', tree, '-p', parent, '-m', 'Change'])).trim()
}

const request = { branch: 'docs-agent/one', title: 'Fix links', body: 'Fixed 2 links.\n/approve\n' }

const pushed = async (project: Project) => {
  const { commit } = await project.base()
  await project.push(request.branch, await commitOn(project, commit, 'changed\n'))
}

test.each(['github', 'gitlab', 'gitea'] as const)(
  'on %s a branch is pushed and exactly one pull request is opened for it, even if requested repeatedly',
  async (kind) => {
    const host = await startCodeHost(kind, pages)
    const { project } = await projectOn(host, kind, '#main:docs')
    expect(project.folder).toBe('docs')
    expect(await project.findPullRequest(request.branch)).toBeNull()
    await pushed(project)
    const opened = await project.openOrFindPullRequest(request)
    expect(opened).toMatchObject({ number: 1, state: 'open' })
    expect(opened?.url).toMatch(new RegExp(`^${host.url}/acme/.*(pull|pulls|merge_requests)/1$`))
    expect(await project.openOrFindPullRequest(request)).toEqual(opened)
    expect(host.pulls).toHaveLength(1)
    expect(host.pulls[0]).toMatchObject({ base: 'main', branch: request.branch, title: 'Fix links' })
    host.pulls[0]!.merged = true
    host.pulls[0]!.state = 'closed'
    expect(await project.findPullRequest(request.branch)).toMatchObject({ number: 1, state: 'merged' })
    // A follow-up after that needs a new one, which is then the one that counts.
    expect(await project.openOrFindPullRequest(request)).toMatchObject({ number: 2, state: 'open' })
    expect(await project.findPullRequest(request.branch)).toMatchObject({ number: 2 })
  },
)

test('every job starts from the current commit of the branch, with its full history', async () => {
  const host = await startCodeHost('github', pages)
  const { project } = await projectOn(host, 'github')
  const first = await project.base()
  expect(first).toEqual({ branch: 'main', commit: gitAt(host.gitDir, ['rev-parse', 'main']) })
  const second = commitTo(host.gitDir, 'main', { 'index.md': 'second\n' })
  expect(await project.base()).toEqual({ branch: 'main', commit: second })
  expect((await project.git(['rev-list', second])).trim().split('\n')).toEqual([second, first.commit])
  // A branch of the same beginning, which would be a folder among the refs.
  expect(await project.readHead('main/more')).toBeNull()
  await project.push(request.branch, second)
  expect(await project.readHead(request.branch)).toBe(second)
  gitAt(host.gitDir, ['update-ref', '-d', `refs/heads/${request.branch}`])
  expect(await project.readHead(request.branch)).toBeNull()
})

test('commits that others pushed to the branch are never overwritten', async () => {
  const host = await startCodeHost('github', pages)
  const { project } = await projectOn(host, 'github')
  await pushed(project)
  const theirs = commitTo(host.gitDir, request.branch, { 'index.md': 'by a reviewer\n' })
  const { commit } = await project.base()
  const ours = await commitOn(project, commit, 'again\n')
  await expect(project.push(request.branch, ours)).rejects.toThrow('has commits on 127.0.0.1')
  // Nor removed, until somebody has seen them.
  await expect(project.removeBranch(request.branch, ours)).rejects.toThrow('has commits on 127.0.0.1')
  expect(gitAt(host.gitDir, ['rev-parse', request.branch])).toBe(theirs)
  await project.removeBranch(request.branch, theirs)
  expect(await project.readHead(request.branch)).toBeNull()
})

test('the token is never in an argument, an environment variable, a file or an error', async () => {
  const commandLines: string[] = []
  // While a request of git waits for its answer, git and its helpers are there to be looked at.
  const look = async () => {
    for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && name !== String(process.pid)))
      for (const part of ['cmdline', 'environ'])
        commandLines.push(await readFile(`/proc/${pid}/${part}`, 'utf8').catch(() => ''))
  }
  const host = await startCodeHost(
    'gitlab',
    pages,
    (request) =>
      request.method === 'POST' ? { status: 400, json: { message: `bad token ${canary} from ${request.path}` } } : null,
    look,
  )
  const { project, dataDir } = await projectOn(host, 'gitlab')
  await pushed(project)
  expect(commandLines.some((text) => text.includes('git-remote-http'))).toBe(true)
  expect(commandLines.filter((text) => text.includes(canary))).toEqual([])
  const error = await project.openOrFindPullRequest(request).catch((caught: unknown) => caught)
  expect(String(error)).toContain('bad token … from')
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(canary)
  // `grep` ends with 1 when it finds nothing.
  expect(() => execFileSync('grep', ['-r', canary, dataDir])).toThrow()
})

test.each([
  ['a wrong token', { token: 'wrong' }, 'does not accept the token for git'],
  ['a branch that is not there', { fragment: '#nowhere' }, 'has no branch nowhere'],
  ['a folder that is not there', { fragment: '#main:nowhere' }, 'has no folder nowhere'],
  ['a branch that is no name', { fragment: '#a..b' }, '“a..b” cannot be a branch'],
  ['a branch that would be two', { fragment: '#main:x:refs/heads/y' }, 'has no folder'],
  ['a repository that is not there', { path: '/acme/other.git' }, 'no such repository'],
  ['an address of another code host', { path: 'https://elsewhere.example/a/b.git' }, 'is no repository of GitHub'],
])(
  '%s is reported in a readable message',
  async (_, { token, fragment, path }: { token?: string; fragment?: string; path?: string }, sentence) => {
    const host = await startCodeHost('github', pages)
    const repository = path === undefined ? host.repository : new URL(path, host.url).href
    const failure = async () => {
      const { project } = await projectOn({ url: host.url, repository }, 'github', fragment, token)
      return project.base()
    }
    await expect(failure()).rejects.toThrow(sentence)
  },
)

test('an unreachable code host is tried three times, and then named in the error', async () => {
  const { url, server } = await startServer((_, response) => response.end())
  await new Promise((resolve) => server.close(resolve))
  const gone = { url, repository: `${url}/acme/handbook.git` }
  const { project, pauses } = await projectOn(gone, 'github')
  await expect(project.base()).rejects.toThrow(/127\.0\.0\.1:\d+ cannot be reached by git/)
  expect(pauses).toEqual([2_000, 8_000])
  await expect(project.findPullRequest('x')).rejects.toThrow(
    /GitHub at 127\.0\.0\.1:\d+ cannot be reached: nothing listens/,
  )
})

test('aborted work ends at once and leaves no process running', async () => {
  const host = await startCodeHost('github', pages, () => 'hang')
  const { project } = await projectOn(host, 'github')
  const abort = new AbortController()
  const finding = project.findPullRequest('x', abort.signal)
  abort.abort(new Error('enough'))
  await expect(finding).rejects.toThrow('enough')
  await expect(project.base(AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
})
