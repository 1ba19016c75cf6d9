import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@docket/sources/testing/files'
import { bareRepository, commitTo, gitAt } from '@docket/sources/testing/git-server'
import { listRun, plantPrograms } from '@docket/sources/testing/planted-repository'
import { expect, test } from 'vitest'
import { openProjects } from '#projects.ts'
import { createEmbeddedCodeHost } from './embedded-code-host.ts'

/** A project `docs` in the folder `site` of a repository on disk. */
const start = async () => {
  const place = await temporaryFolder()
  const theirs = await bareRepository(join(place, 'theirs.git'), files)
  const sources = { docs: `git+file://${theirs}#main:site` }
  const now = () => new Date()
  const { projects, repositories } = openProjects({ sources, place: (...names) => join(place, 'data', ...names), now })
  const codeHost = createEmbeddedCodeHost({ repositories, findJob: () => Promise.resolve(null), now })
  const project = (await projects.open('docs'))!
  /** Opens a pull request with one commit of `to`, as a job does. */
  const open = async (branch: string, to: Readonly<Record<string, string>>) => {
    const { commit } = await project.base()
    const made = commitTo(project.gitDir, 'made', to, { from: commit })
    await project.push(branch, made)
    const { number } = (await project.openOrFindPullRequest({ branch, title: branch, body: '' }))!
    return { projectId: 'docs', number, head: made }
  }
  const merge = async (pull: Awaited<ReturnType<typeof open>>) => (await codeHost.runAction('merge', pull))!
  const read = async ({ number }: { number: number }) => (await codeHost.readPull('docs', number))!
  return { theirs, codeHost, project, open, merge, read }
}
const files = { 'site/a.md': 'one\n', 'site/b.md': 'one\n' }
const heads = (gitDir: string) => gitAt(gitDir, ['for-each-ref', '--format=%(refname)', 'refs/heads'])

test('a merge in the embedded code host updates the branch of the repository on disk without force', async () => {
  const { theirs, project, open, merge, read } = await start()
  expect([project.folder, project.repositoryUrl]).toEqual(['site', '/code/docs'])
  const first = await open('first', { ...files, 'site/a.md': 'two\n' })
  expect(heads(theirs)).toBe('refs/heads/main')
  expect((await merge(first)).changed).toBe(true)
  expect(gitAt(theirs, ['rev-parse', 'main'])).toBe(first.head)

  const second = await open('second', { 'site/a.md': 'two\n', 'site/b.md': 'mine\n' })
  // Somebody pushes there meanwhile, first beside it and then into the same place.
  const pushed = commitTo(theirs, 'main', { 'site/a.md': 'three\n', 'site/b.md': 'one\n' })
  expect((await merge(second)).changed).toBe(true)
  expect(gitAt(theirs, ['rev-parse', 'main^1', 'main^2']).split('\n')).toEqual([pushed, second.head])
  const third = await open('third', { 'site/a.md': 'mine\n', 'site/b.md': 'mine\n' })
  const theirLast = commitTo(theirs, 'main', { 'site/a.md': 'theirs\n', 'site/b.md': 'mine\n' })
  expect((await merge(third)).refused).toMatch(/conflicts with the main branch in site\/a\.md/)
  expect([gitAt(theirs, ['rev-parse', 'main']), (await read(third)).state]).toEqual([theirLast, 'open'])
})

test('a merge that the repository rejects changes nothing, and an interrupted push counts as merged', async () => {
  const { theirs, codeHost, project, open, merge, read } = await start()
  const pull = await open('work', { ...files, 'site/a.md': 'two\n' })
  await rename(theirs, `${theirs}.away`)
  const refused = await merge(pull)
  expect([refused.changed, refused.refused]).toEqual([false, expect.stringMatching(/didn’t take the merge/)])
  expect((await read(pull)).state).toBe('open')
  expect((await codeHost.listPulls('docs', { state: 'open' }))!.counts.open).toBe(1)
  await rename(`${theirs}.away`, theirs)

  gitAt(theirs, ['fetch', '--quiet', project.gitDir, 'work:main'])
  expect(await codeHost.listPulls('docs', { state: 'all' })).toMatchObject({ counts: { merged: 1 }, folder: null })
  expect((await project.base()).commit).toBe(pull.head)
})

test('reading a repository on disk or merging into it runs none of its programs and hooks', async () => {
  const { theirs, open, merge } = await start()
  const marks = await temporaryFolder()
  plantPrograms(theirs, marks)
  const pull = await open('first', { ...files, 'site/a.md': 'two\n', 'site/.gitattributes': '* filter=evil\n' })
  expect(await merge(pull)).toMatchObject({ changed: true, refused: null })
  expect([listRun(marks), gitAt(theirs, ['rev-parse', 'main'])]).toEqual([[], pull.head])
})
