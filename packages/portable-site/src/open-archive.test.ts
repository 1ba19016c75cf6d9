import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packEntries, renameInTar, tarFile, tarLink } from '@docket/site-bundle/testing/hostile-archives'
import { temporaryFolder } from '@docket/site-bundle/testing/temporary-folder'
import { expect, test } from 'vitest'
import { unpackArchive } from './open-archive.ts'

/** Unpacks an archive, and proves that nothing appeared around it. */
const unpack = async (tar: Buffer) => {
  const work = await temporaryFolder()
  await writeFile(join(work, 'archive'), tar)
  const { folder, leftOut } = await unpackArchive(join(work, 'archive'), join(work, 'unpacked'))
  const around = [...(await readdir(work)), ...(await readdir(join(work, 'unpacked')))]
  expect(around).toEqual(['archive', 'unpacked', 'site'])
  const files: Record<string, string> = {}
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (!entry.isDirectory()) {
      const path = join(entry.parentPath, entry.name)
      files[path.slice(folder.length + 1)] = await readFile(path, 'utf8')
    }
  return { files, lines: leftOut.map(({ file, reason }) => `${file}: ${reason}`) }
}

const unusable = 'a folder can’t have a file of this name'
const long = 'n'.repeat(300)
const withName = (name: string) => tarFile('x', 'x', { path: name })

test.each<[string, Parameters<typeof packEntries>, Record<string, string>, string[]]>([
  ['a file before a folder', [tarFile('a', 'old'), tarFile('a/b', 'new')], { 'a/b': 'new' }, [`a: ${unusable}`]],
  ['a file after a folder', [tarFile('a/b', 'new'), tarFile('a', 'old')], { 'a/b': 'new' }, [`a: ${unusable}`]],
  [
    'a file that becomes a link to a folder',
    [tarFile('d/x', 'x'), tarFile('a', 'old'), tarLink('a', 'd')],
    { 'd/x': 'x', 'a/x': 'x' },
    ['a: the archive has it several times, so the last one counts'],
  ],
  [
    'a file that becomes a link to nothing',
    [tarFile('a', 'old'), tarLink('a', 'none')],
    {},
    ['a: the archive has it several times, so the last one counts', 'a: it is a link to nothing'],
  ],
  [
    'a name that is too long',
    [withName(long), withName(`${long}/x`)],
    {},
    [long, `${long}/x`].map((name) => `${name}: ${unusable}`),
  ],
  [
    'links to a file',
    [tarFile('a', 'A'), tarLink('b', 'a'), tarLink('c', 'a', 'link')],
    { a: 'A', b: 'A', c: 'A' },
    [],
  ],
])(
  '%s is unpacked as the archive means it, and what a folder can’t have has a line',
  async (_, entries, files, lines) => {
    const index = tarFile('index.html', 'index')
    expect(await unpack(await packEntries(index, ...entries))).toEqual({
      files: { 'index.html': 'index', ...files },
      lines,
    })
  },
)

test('names in another encoding are those that the pages link to', async () => {
  const tar = await packEntries(tarFile('index.html', '<a href="gr%C3%B6%C3%9Fe.html">x</a>'), tarFile('grQQe.html'))
  const { files, lines } = await unpack(renameInTar(tar, 'grQQe', Buffer.from('größe', 'latin1')))
  expect(Object.keys(files).toSorted()).toEqual(['größe.html', 'index.html'])
  expect(lines).toEqual(['größe.html: its name was in another encoding'])
})
