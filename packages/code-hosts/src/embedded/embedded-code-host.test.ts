import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { commitTo, gitAt } from '@docket/sources/testing/git-server'
import { expect, test } from 'vitest'
import { openEmbeddedProject } from '#embedded/embedded-project.ts'
import { printLines, startEmbeddedCodeHost } from '#testing/embedded-code-host.ts'

const run = promisify(execFile)
const files = { 'a.md': 'one\n', 'b.md': 'two\n' }

test('a merge fast-forwards main or makes a merge commit, and three clicks at once merge exactly once', async () => {
  const { gitDir, open, act, read } = await startEmbeddedCodeHost(files)
  const imported = gitAt(gitDir, ['rev-parse', 'main'])
  const first = await open('first', { ...files, 'a.md': 'first\n' })
  const second = await open('second', { ...files, 'b.md': 'second\n' })
  expect((await Promise.all([1, 2, 3].map(() => act(first, 'merge')))).filter((done) => done !== null)).toEqual([true])
  expect(gitAt(gitDir, ['rev-parse', 'main'])).toBe(first.head)

  await Promise.all([1, 2, 3].map(() => act(second, 'merge')))
  expect(gitAt(gitDir, ['log', '-1', '--format=%P%n%s%n%b', 'main']).split('\n')).toEqual([
    `${first.head} ${second.head}`,
    'Merge pull request #2 from second',
    'Change of second',
  ])
  expect(gitAt(gitDir, ['rev-list', '--count', 'main'])).toBe('4')
  // What came with the first one is no part of it.
  const { state, changes, mergeability, refusals } = await read(second)
  expect([state, changes.total, mergeability]).toEqual(['merged', 1, null])
  expect(printLines(changes.diff)).toContain('+second')
  expect(printLines(changes.diff).join()).not.toMatch(/[+-](first|one)/)
  expect(refusals).toEqual({
    merge: 'It’s already merged.',
    close: 'It’s already merged.',
    reopen: 'It’s already merged.',
    'delete-branch': null,
  })
  expect([gitAt(gitDir, ['show', 'main:a.md']), gitAt(gitDir, ['show', 'main:b.md'])]).toEqual(['first', 'second'])
  expect(gitAt(gitDir, ['merge-base', imported, 'main'])).toBe(imported)
})

test('a pull request with conflicts, without commits or without shared history is refused with the reason', async () => {
  const { gitDir, open, act, read } = await startEmbeddedCodeHost({ ...files, 'c/d.md': 'three\n' })
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
    const { mergeability, refusals } = await read(pull)
    expect(mergeability).toEqual({ canMerge: false, sentence: expect.stringMatching(reason) as unknown })
    expect(refusals.merge).toMatch(reason)
    expect(await act(pull, 'merge')).toMatch(reason)
  }
  expect(gitAt(gitDir, ['for-each-ref'])).toBe(before)
  expect(printLines((await read(stranger)).changes.diff)).toContain('+from nowhere')
})

test('a crash after the main branch moved, but before that was recorded, leaves a merged pull request', async () => {
  const { gitDir, open, act, read } = await startEmbeddedCodeHost(files)
  const pull = await open('work', { ...files, 'a.md': 'merged\n' })
  gitAt(gitDir, ['update-ref', 'refs/heads/main', pull.head])
  const before = gitAt(gitDir, ['for-each-ref'])
  const { state, endedAt, changes } = await read(pull)
  expect([state, endedAt]).toEqual(['merged', null])
  expect(printLines(changes.diff)).toContain('+merged')
  expect([await act(pull, 'merge'), await act(pull, 'close')]).toEqual([null, 'It’s already merged.'])
  expect(gitAt(gitDir, ['for-each-ref'])).toBe(before)
})

test('after closing a conflicting pull request and deleting its branch, the next work starts from the main branch', async () => {
  const { gitDir, repository, open, act, read } = await startEmbeddedCodeHost(files)
  const pull = await open('work', { ...files, 'a.md': 'theirs\n' })
  commitTo(gitDir, 'main', { ...files, 'a.md': 'ours\n' })
  const advice = 'Close it, delete its branch, and send the job a message'
  expect((await read(pull)).mergeability?.sentence).toContain(advice)
  for (const action of ['close', 'delete-branch'] as const) expect(await act(pull, action)).toBe(true)
  const project = openEmbeddedProject(repository, () => new Date())
  expect(await project.readHead('work')).toBeNull()
  const again = commitTo(gitDir, 'elsewhere', { ...files, 'a.md': 'both\n' }, { from: (await project.base()).commit })
  await project.push('work', again)
  expect(await project.openOrFindPullRequest({ branch: 'work', title: 'T', body: '' })).toMatchObject({ number: 2 })
  expect(await act({ number: 2, head: again }, 'merge')).toBe(true)
  expect(gitAt(gitDir, ['show', 'main:a.md'])).toBe('both')
})

test('a pull request with commits that the user has not seen is neither merged nor closed', async () => {
  const { gitDir, open, act, read } = await startEmbeddedCodeHost(files)
  const pull = await open('work', { ...files, 'a.md': 'seen\n' })
  const unseen = commitTo(gitDir, 'work', { ...files, 'a.md': 'unseen\n' })
  const before = gitAt(gitDir, ['for-each-ref'])
  for (const action of ['merge', 'close'] as const) expect(await act(pull, action)).toContain('Look at the new commits')
  expect(await act({ ...pull, head: '' }, 'merge')).toContain('Look at the new commits')
  expect(gitAt(gitDir, ['for-each-ref'])).toBe(before)
  expect(await read(pull)).toMatchObject({ head: unseen, job: { id: 'one', title: 'Do the work' } })
  expect(await act({ ...pull, head: unseen }, 'merge')).toBe(true)
  expect(gitAt(gitDir, ['show', 'main:a.md'])).toBe('unseen')
})

test('reopening a pull request restores its deleted branch, and a branch with newer commits is never deleted', async () => {
  const { gitDir, open, act, read } = await startEmbeddedCodeHost(files)
  const heads = () => gitAt(gitDir, ['for-each-ref', '--format=%(refname:short) %(objectname)', 'refs/heads'])
  const pull = await open('work', { ...files, 'a.md': 'kept\n' })
  const twice = (action: 'close' | 'delete-branch') => Promise.all([act(pull, action), act(pull, action)])
  const withBranch = heads()
  expect(await act(pull, 'delete-branch')).toBe('The branch is in #1, which is open.')
  expect(await twice('close')).toEqual([true, null])
  expect(await act(pull, 'merge')).toBe('It’s closed. Reopen it to merge it.')
  expect(heads()).toBe(withBranch)
  expect(await twice('delete-branch')).toEqual([true, null])
  expect(heads()).not.toContain('work')
  expect(printLines((await read(pull)).changes.diff)).toContain('+kept')
  expect(await act(pull, 'reopen')).toBe(true)
  expect(heads()).toBe(withBranch)

  await act(pull, 'close')
  const later = commitTo(gitDir, 'work', { ...files, 'a.md': 'later\n' })
  expect((await read(pull)).refusals['delete-branch']).toBe('The branch has newer commits than #1, so it stays.')
  expect(await act(pull, 'delete-branch')).toBe('The branch has newer commits than #1, so it stays.')
  expect(await act({ ...pull, head: later }, 'delete-branch')).toContain('newer commits than #1')
  const again = await open('work', { ...files, 'a.md': 'again\n' }, { from: later })
  expect(await act(pull, 'reopen')).toBe('Its branch is in #2 now, which is open.')
  expect(await act(again, 'merge')).toBe(true)
  expect(await act(pull, 'reopen')).toBe('The main branch has all of its commits already.')
  expect(await act(again, 'close')).toBe('It’s already merged.')
  expect(await act(again, 'reopen')).toBe('It’s already merged.')
  expect(await act(again, 'delete-branch')).toBe(true)
  expect(gitAt(gitDir, ['show', 'main:a.md'])).toBe('again')
})

test('a response stays small however large a change is, and states what it leaves out', async () => {
  const many = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`many/${index}.md`, '&\n']))
  const { codeHost, open, read } = await startEmbeddedCodeHost({ 'a.md': 'x\n' })
  const long = { title: 't'.repeat(20_000), body: 'w'.repeat(200_000), message: 's'.repeat(400_000) }
  const pulls = await Promise.all([
    open('long-file', { 'a.md': '"&" and more\n'.repeat(60_000) }),
    open('long-line', { 'a.md': '<'.repeat(3_000_000), 'b.md': 'b\n' }),
    open('many-files', { 'a.md': 'x\n', ...many }),
    open('long-words', { 'a.md': 'y\n' }, long),
  ])
  const views = await Promise.all(pulls.map(read))
  const diffs = views.map(({ changes }) => changes.diff)
  for (const { files: shown } of diffs)
    expect(printLines({ files: shown }).join('\n').length).toBeLessThanOrEqual(512 * 1024)
  expect(diffs.map(({ isCut, totals, files: shown }) => [isCut, totals?.files, shown.at(-1)?.isCut])).toEqual([
    [true, 1, true],
    [true, 2, true],
    [false, 400, false],
    [false, 1, false],
  ])
  expect([views[3]!.title.length, views[3]!.body.length]).toEqual([300, 20_000])
  const commit = (await codeHost.readCommit('docs', pulls[3]!.head))!
  expect([commit.subject.length, commit.message.length <= 20_000]).toEqual([300, true])
  expect(printLines(commit.diff)).toContain('+y')
})

test('a changed line that looks like a diff header is shown as content of its file', async () => {
  const { open, read } = await startEmbeddedCodeHost({ 'crlf.md': 'one\r\ntwo\r\n', 'a.bin': '\0\u0001' })
  const mean = 'diff --git a/x b/x\n@@ -1 +1 @@\n\u2028Binary files differ\r\n'
  const pull = await open('work', { 'crlf.md': 'one\ntwo\n', 'a.bin': '\0\u0002', 'b\n\\.md': mean })
  const { diff } = (await read(pull)).changes
  expect(diff.files.map(({ path, note }) => [path, note])).toEqual([
    ['a.bin', 'binary, not shown'],
    [String.raw`"b\n\\.md"`, 'new'],
    ['crlf.md', ''],
  ])
  expect(printLines(diff)).toEqual(
    expect.arrayContaining(['+diff --git a/x b/x', '+@@ -1 +1 @@', '+\u2028Binary files differ\r', '-one\r', '+one']),
  )
})

test('unknown pull requests are null, lists are paged, and a project is created on first use', async () => {
  const { codeHost, open, gitDir, act } = await startEmbeddedCodeHost({ 'a.md': 'x\n' })
  const pull = await open('work', { 'a.md': 'y\n' })
  for (const number of [0, 2, 999_999_999]) expect(await codeHost.readPull('docs', number)).toBeNull()
  for (const hash of ['0'.repeat(40), 'main', pull.head.toUpperCase(), '--all'])
    expect(await codeHost.readCommit('docs', hash)).toBeNull()
  for (const projectId of ['nobody', 'constructor', '..'])
    expect([await codeHost.readPull(projectId, 1), await codeHost.listPulls(projectId, { state: 'all' })]).toEqual([
      null,
      null,
    ])
  expect(await codeHost.runAction('merge', { projectId: 'docs', number: 99, head: pull.head })).toBeNull()

  const record = { title: 'T', body: '', base: pull.base, head: pull.head, openedAt: pull.openedAt }
  const refs = Array.from({ length: 51 }, (_, index) => {
    const number = index + 2
    const blob = gitAt(
      gitDir,
      ['hash-object', '-w', '--stdin'],
      JSON.stringify({ ...record, number, branch: `b${number}` }),
    )
    const all = { [`heads/b${number}`]: pull.head, [`pull/${number}/head`]: pull.head, [`pull/${number}/record`]: blob }
    return Object.entries(all).map(([ref, hash]) => `create refs/${ref} ${hash}\n`)
  })
  gitAt(gitDir, ['update-ref', '--stdin'], refs.flat().join(''))
  await act(pull, 'close')
  const first = (await codeHost.listPulls('docs', { state: 'open' }))!
  expect(first.counts).toEqual({ open: 51, merged: 0, closed: 1 })
  expect([first.pulls.length, first.pulls[0]?.number, first.next]).toEqual([50, 52, 3])
  const second = (await codeHost.listPulls('docs', { state: 'open', before: 3 }))!
  expect([second.pulls.map(({ number }) => number), second.next]).toEqual([[2], null])
  expect(await codeHost.listProjects()).toEqual([{ projectId: 'docs', openPulls: 51 }])
})

test('git can fetch commits, and a malformed request or an unknown project gets nothing', async () => {
  const { codeHost, open, gitDir } = await startEmbeddedCodeHost(files)
  const pull = await open('work', { ...files, 'a.md': 'x\n' })
  const ask = async (fetch: string | null) => {
    const request = { fetch: fetch === null ? null : Buffer.from(fetch), protocol: undefined }
    const answer = (await codeHost.serveClone('docs', { ...request, signal: new AbortController().signal }))!
    if (answer === 'busy') throw new Error('busy')
    return Buffer.concat(await answer.body.map((chunk: string | Buffer) => Buffer.from(chunk)).toArray()).toString()
  }
  const refs = await ask(null)
  expect(refs).toMatch(/^001e# service=git-upload-pack\n0000[\da-f]{4}/)
  expect(refs).toContain(`${pull.head} refs/heads/work\n`)
  expect(await ask(`0032want ${pull.head}\n00000009done\n`)).toContain('PACK')
  // What is no request is no answer, and git ends.
  expect(await ask('0032nonsense')).not.toContain('PACK')
  expect(await codeHost.serveClone('nobody', { fetch: null, protocol: '', signal: AbortSignal.timeout(1) })).toBeNull()
  const { stdout } = await run('git', ['--git-dir', gitDir, 'for-each-ref', 'refs/heads'])
  expect(stdout.trim().split('\n')).toHaveLength(2)
})
