import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createSiteSources } from './site-sources.ts'
import { parseSource } from './site-source.ts'
import { temporaryFolder } from './testing/files.ts'
import { bareRepository, commitTo } from './testing/git-server.ts'
import { listRun, plantPrograms } from './testing/planted-repository.ts'

const openSources = async () => {
  const sources = createSiteSources(await temporaryFolder(), [])
  onTestFinished(() => sources.close())
  return sources
}

test('a commit pinned on one machine can be fetched on another, even if the branch has moved on', async () => {
  const gitDir = await bareRepository(join(await temporaryFolder(), 'docs.git'), { 'index.md': 'first' })
  const source = parseSource(`git+file://${gitDir}`)
  const [here, there] = [await openSources(), await openSources()]
  const pin = await here.pin(source)
  commitTo(gitDir, 'main', { 'index.md': 'second' })
  const folder = await there.openFolder(source, pin, join(await temporaryFolder(), 'copy'))
  expect(await readFile(join(folder, 'index.md'), 'utf8')).toBe('first')
  expect(await there.order(source, pin, '')).toMatchObject({ kind: 'git', commit: pin!.commit })
})

test('reading a repository on this machine runs none of the programs that the repository configures', async () => {
  const gitDir = await bareRepository(join(await temporaryFolder(), 'docs.git'), {
    'index.md': 'first',
    '.gitattributes': '* filter=evil\n',
  })
  const marks = await temporaryFolder()
  plantPrograms(gitDir, marks)
  const sources = await openSources()
  const source = parseSource(`git+file://${gitDir}`)
  const folder = await sources.openFolder(source, await sources.pin(source), join(await temporaryFolder(), 'copy'))
  expect(await readFile(join(folder, 'index.md'), 'utf8')).toBe('first')
  expect(listRun(marks)).toEqual([])
})

test('a folder that is missing on this machine fails with an error that names it', async () => {
  const folder = join(await temporaryFolder(), 'gone')
  const sources = await openSources()
  await expect(sources.order(parseSource(folder), null, '')).rejects.toThrow(
    `The folder ${folder} of the site is missing on the machine`,
  )
})

test('`render=` is kept in the order for folders and repositories, and refused before the address of a site', async () => {
  const folder = await temporaryFolder()
  const gitDir = await bareRepository(join(await temporaryFolder(), 'docs.git'), { 'index.md': 'first' })
  const sources = await openSources()
  const order = async (text: string) => sources.order(parseSource(text), await sources.pin(parseSource(text)), '')
  expect(await order(`render=${folder}`)).toEqual({ kind: 'folder', folder, render: true })
  expect(await order(`render=git+file://${gitDir}`)).toMatchObject({ kind: 'git', render: true })
  expect(() => parseSource('render=https://docs.example.com/')).toThrow('Only a folder or a git repository')
})
