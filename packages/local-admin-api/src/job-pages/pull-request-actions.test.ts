import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { embeddedProject } from '@docket/code-hosts/embedded/embedded-project'
import { temporaryFolder } from '@docket/sources/testing/files'
import { commitTo, gitAt } from '@docket/sources/testing/git-server'
import { expect, test } from 'vitest'
import { startCodeHostPages } from '#testing/code-host-pages.ts'

const run = promisify(execFile)
const files = { 'a.md': 'one\n', 'b.md': 'two\n' }

test('a merge moves the main branch on, or makes a commit of two parents; clicked three times at once, it happens once', async () => {
  const { gitDir, open, post, readPage, cloneUrl } = await startCodeHostPages(files)
  const [imported] = [gitAt(gitDir, ['rev-parse', 'main'])]
  const first = await open('first', { ...files, 'a.md': 'first\n' })
  const second = await open('second', { ...files, 'b.md': 'second\n' })
  const clicks = await Promise.all([1, 2, 3].map(() => post(first, 'merge')))
  expect(clicks.map(({ status }) => status)).toEqual([303, 303, 303])
  expect(gitAt(gitDir, ['rev-parse', 'main'])).toBe(first.head)

  await Promise.all([1, 2, 3].map(() => post(second, 'merge')))
  expect(gitAt(gitDir, ['log', '-1', '--format=%P%n%s%n%b', 'main']).split('\n')).toEqual([
    `${first.head} ${second.head}`,
    'Merge pull request #2 from second',
    'Change of second',
  ])
  expect(gitAt(gitDir, ['rev-list', '--count', 'main'])).toBe('4')
  const page = await readPage(second)
  expect(page).toMatch(/Merged into <code>main<\/code> on <time/)
  // What came with the first one is no part of it.
  expect(page).toContain('+second')
  expect(page).not.toMatch(/[+-](first|one)/)
  expect(page.match(/\/docket\/docs\/commits\//g)).toHaveLength(1)

  const clone = join(await temporaryFolder(), 'clone')
  await run('git', ['clone', '--quiet', cloneUrl, clone])
  expect([await readFile(join(clone, 'a.md'), 'utf8'), await readFile(join(clone, 'b.md'), 'utf8')]).toEqual([
    'first\n',
    'second\n',
  ])
  expect(gitAt(gitDir, ['merge-base', imported, 'main'])).toBe(imported)
})

test('a pull request with conflicts, without commits or without shared history is not merged, says why, and changes nothing', async () => {
  const { gitDir, open, post, readPage } = await startCodeHostPages({ ...files, 'c/d.md': 'three\n' })
  const conflict = await open('conflict', { 'a.md': 'theirs\n', 'b.md': 'changed too\n', 'c/d.md': 'theirs\n' })
  const stranger = await open('stranger', { 'a.md': 'from nowhere\n' }, { from: null })
  const gone = await open('gone', { 'a.md': 'theirs\n' }, { from: conflict.head })
  const empty = await open('empty', { ...files, 'a.md': 'x\n' })
  commitTo(gitDir, 'main', { 'a.md': 'ours\n', 'b.md': 'two\n', 'c/d.md': 'ours\n' })
  gitAt(gitDir, ['update-ref', 'refs/heads/empty', 'main~1'])
  const before = gitAt(gitDir, ['for-each-ref'])
  const reasons: [typeof conflict, RegExp][] = [
    [conflict, /conflicts with the main branch in a\.md, c\/d\.md\./],
    // One side deleted what the other changed.
    [gone, /conflicts with the main branch in a\.md, c\/d\.md\./],
    [stranger, /shares no history with the main branch/],
    [{ ...empty, head: gitAt(gitDir, ['rev-parse', 'main~1']) }, /The main branch has all of its commits already/],
  ]
  for (const [pull, reason] of reasons) {
    const page = await readPage(pull)
    expect(page).toMatch(reason)
    expect(page).not.toContain(`pulls/${pull.number}/merge"`)
    const refused = await post(pull, 'merge')
    expect([refused.status, await refused.text()]).toEqual([409, expect.stringMatching(reason)])
  }
  expect(gitAt(gitDir, ['for-each-ref'])).toBe(before)
  expect(await readPage(stranger)).toContain('+from nowhere')
})

test('a crash after the main branch moved on, and before that was noted, leaves a merged pull request', async () => {
  const { gitDir, open, post, readPage } = await startCodeHostPages(files)
  const pull = await open('work', { ...files, 'a.md': 'merged\n' })
  gitAt(gitDir, ['update-ref', 'refs/heads/main', pull.head])
  const before = gitAt(gitDir, ['for-each-ref'])
  const page = await readPage(pull)
  expect(page).toContain('Merged into <code>main</code>.')
  expect(page).toContain('+merged')
  expect([(await post(pull, 'merge')).status, (await post(pull, 'close')).status]).toEqual([303, 409])
  expect(gitAt(gitDir, ['for-each-ref'])).toBe(before)
})

test('the advice for a conflict works: after closing and deleting the branch, the next work starts afresh', async () => {
  const { gitDir, repository, open, post, readPage } = await startCodeHostPages(files)
  const pull = await open('work', { ...files, 'a.md': 'theirs\n' })
  commitTo(gitDir, 'main', { ...files, 'a.md': 'ours\n' })
  expect(await readPage(pull)).toContain('Close it, delete its branch, and send the job a message')
  for (const action of ['close', 'delete-branch']) expect((await post(pull, action)).status).toBe(303)
  const project = embeddedProject(repository, () => new Date())
  expect(await project.readHead('work')).toBeNull()
  const again = commitTo(gitDir, 'elsewhere', { ...files, 'a.md': 'both\n' }, { from: (await project.base()).commit })
  await project.push('work', again)
  expect(await project.openOrFindPullRequest({ branch: 'work', title: 'T', body: '' })).toMatchObject({ number: 2 })
  expect((await post({ number: 2, head: again }, 'merge')).status).toBe(303)
  expect(gitAt(gitDir, ['show', 'main:a.md'])).toBe('both')
})

test('nobody merges or closes what they did not see: a branch that moved on is shown first', async () => {
  const { gitDir, open, post, readPage } = await startCodeHostPages(files)
  const pull = await open('work', { ...files, 'a.md': 'seen\n' })
  const unseen = commitTo(gitDir, 'work', { ...files, 'a.md': 'unseen\n' })
  const before = gitAt(gitDir, ['for-each-ref'])
  for (const action of ['merge', 'close']) {
    const refused = await post(pull, action)
    expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining('Look at the new commits')])
  }
  expect((await post({ ...pull, head: '' }, 'merge')).status).toBe(409)
  expect(gitAt(gitDir, ['for-each-ref'])).toBe(before)
  expect(await readPage(pull)).toContain(`name="head" value="${unseen}"`)
  expect((await post({ ...pull, head: unseen }, 'merge')).status).toBe(303)
  expect(gitAt(gitDir, ['show', 'main:a.md'])).toBe('unseen')
})

test('closed, its branch deleted and reopened, a pull request has its commits again; no commit of a branch is ever lost', async () => {
  const { gitDir, open, post, readPage } = await startCodeHostPages(files)
  const heads = () => gitAt(gitDir, ['for-each-ref', '--format=%(refname:short) %(objectname)', 'refs/heads'])
  const pull = await open('work', { ...files, 'a.md': 'kept\n' })
  const refusal = async (action: string, shownPull = pull) => {
    const answer = await post(shownPull, action)
    return answer.status === 303 ? 303 : /role="alert">\s*(.*?)\s*<\/p>/s.exec(await answer.text())?.[1]
  }
  const withBranch = heads()
  expect(await refusal('delete-branch')).toBe('The branch is in #1, which is open.')
  expect(await Promise.all([refusal('close'), refusal('close')])).toEqual([303, 303])
  expect(await refusal('merge')).toBe('It’s closed. Reopen it to merge it.')
  expect(heads()).toBe(withBranch)
  expect(await Promise.all([refusal('delete-branch'), refusal('delete-branch')])).toEqual([303, 303])
  expect(heads()).not.toContain('work')
  expect(await readPage(pull)).toContain('+kept')
  expect(await refusal('reopen')).toBe(303)
  expect(heads()).toBe(withBranch)

  await post(pull, 'close')
  const later = commitTo(gitDir, 'work', { ...files, 'a.md': 'later\n' })
  expect(await readPage(pull)).not.toContain('delete-branch')
  expect(await refusal('delete-branch')).toBe('The branch has newer commits than #1, so it stays.')
  expect(await refusal('delete-branch', { ...pull, head: later })).toContain('newer commits than #1')
  const again = await open('work', { ...files, 'a.md': 'again\n' }, { from: later })
  expect(await refusal('reopen')).toBe('Its branch is in #2 now, which is open.')
  expect(await refusal('merge', again)).toBe(303)
  expect(await refusal('reopen')).toBe('The main branch has all of its commits already.')
  expect(await refusal('close', again)).toBe('It’s already merged.')
  expect(await refusal('reopen', again)).toBe('It’s already merged.')
  expect(await refusal('delete-branch', again)).toBe(303)
  expect(gitAt(gitDir, ['show', 'main:a.md'])).toBe('again')
})

test('a page of another origin changes nothing, whatever it sends', async () => {
  const { gitDir, origin, open, post } = await startCodeHostPages(files)
  const pull = await open('work', { ...files, 'a.md': 'x\n' })
  const before = gitAt(gitDir, ['for-each-ref'])
  const foreign: Record<string, string>[] = [
    { origin: 'http://evil.example' },
    { origin: 'null' },
    { origin: '' },
    { origin: origin.replace('127.0.0.1', 'localhost') },
    { origin: origin.replace('http:', 'https:') },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]
  for (const action of ['merge', 'close', 'reopen', 'delete-branch'])
    for (const headers of foreign) expect((await post(pull, action, headers)).status, action).toBe(403)
  // Nor does a link do anything.
  for (const action of ['merge', 'close'])
    expect((await fetch(`${origin}/docket/docs/pulls/1/${action}?head=${pull.head}`)).status).toBe(405)
  expect((await post({ number: 99, head: pull.head }, 'merge')).status).toBe(404)
  expect((await post(pull, 'destroy')).status).toBe(404)
  expect(gitAt(gitDir, ['for-each-ref'])).toBe(before)
})

test('a clone reads, and a push is refused and changes nothing', async () => {
  const { gitDir, origin, open, cloneUrl } = await startCodeHostPages(files)
  await open('work', { ...files, 'a.md': 'x\n' })
  const clone = join(await temporaryFolder(), 'clone')
  await run('git', ['clone', '--quiet', '--branch', 'work', cloneUrl, clone])
  expect(await readFile(join(clone, 'a.md'), 'utf8')).toBe('x\n')
  const before = gitAt(gitDir, ['for-each-ref'])
  const env = { ...process.env, GIT_TERMINAL_PROMPT: '0' }
  for (const args of [['work:main', '--force'], ['work:new'], ['--delete', 'work']])
    await expect(run('git', ['-C', clone, 'push', '--quiet', 'origin', ...args], { env })).rejects.toThrow(/403/)
  for (const [method, path] of [
    ['POST', 'git-receive-pack'],
    ['PUT', 'objects/00/00000000000000000000000000000000000000'],
    ['PROPFIND', 'refs/heads/'],
    ['DELETE', 'HEAD'],
  ])
    expect((await fetch(`${origin}/docket/docs.git/${path}`, { method: method! })).status, path).toBeGreaterThan(403)
  expect(gitAt(gitDir, ['for-each-ref'])).toBe(before)
})
