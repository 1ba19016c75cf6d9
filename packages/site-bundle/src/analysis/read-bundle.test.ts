import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { createDiskStorage } from '@docket/artifact-store/local-disk/disk-storage'
import { expect, test } from 'vitest'
import { listArtifactKeys } from '#artifact-keys.ts'
import { usualBounds } from '#bounds.ts'
import { openSite } from '#open-site.ts'
import { decodeAddress } from '#locator/addresses.ts'
import { packEntries, packZip, renameInTar, tarFile, tarLink, type HostileEntry } from '#testing/hostile-archives.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { readBundle } from './read-bundle.ts'

/** Files as a reader of the stored site gets them, and the paths of each remark about the archive. */
const read = async (bytes: Uint8Array) => {
  const work = await temporaryFolder()
  const [file, folder] = [join(work, 'bundle'), join(work, 'made')]
  await mkdir(folder)
  await writeFile(file, bytes)
  const bundle = await readBundle({ file, folder, bounds: usualBounds }, { onProgress: () => {}, onRead: () => {} })
  const storage = createDiskStorage(await temporaryFolder())
  const keys = listArtifactKeys('a'.repeat(64))
  for (const [key, name] of [
    [keys.zip, 'site.zip'],
    [keys.manifest, 'manifest.json.gz'],
    [keys.report, 'report.json.gz'],
  ] as const)
    await storage.put(key, join(folder, name))
  const site = openSite(storage, 'a'.repeat(64))
  const [manifest, report] = await Promise.all([site.manifest(), site.report()])
  const files: Record<string, string> = {}
  for (const { path } of manifest.files) files[path] = await text(await site.read(path))
  expect(bundle.files).toBe(manifest.files.length)
  expect(manifest.contentBytes).toBe(manifest.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0))
  const about =
    /^(?:similar-names|unportable-name|.*decoded-name|repeated-file|system-file|unusable-name|dangling-link)$/
  const remarks = report.findings
    .filter(({ rule }) => about.test(rule))
    .map(({ rule, level, places }) => [rule, level, places.map(({ path }) => path).toSorted()] as const)
  expect(remarks.every(([, level]) => level === 'notes')).toBe(true)
  return { files, remarks: Object.fromEntries(remarks.map(([rule, , paths]) => [rule, paths])), manifest, report }
}

const page = (body = '') => `<!doctype html><title>Page</title>${body}`
const toZipLink = (path: string, target: string): HostileEntry => ({ path, content: target, mode: 0o120777 })

test('links within the archive become copies of files and folders, in a tar and in a zip', async () => {
  const expected = {
    '1.0/index.html': 'one',
    '1.0/deep/a.css': 'css',
    'latest/index.html': 'one',
    'latest/deep/a.css': 'css',
    'stable/index.html': 'one',
    'stable/deep/a.css': 'css',
    'home.html': 'one',
    'other/style.css': 'css',
  }
  const links = [
    // In front of their targets, and through each other.
    ['stable', './latest/'],
    ['latest', '1.0'],
    ['home.html', 'stable/index.html'],
    ['other/style.css', '../latest/deep/a.css'],
  ] as const
  const tar = await packEntries(
    ...links.map(([path, target]) => tarLink(path, target)),
    tarFile('1.0/index.html', 'one'),
    tarFile('1.0/deep/a.css', 'css'),
  )
  const zip = packZip([
    ...links.map(([path, target]) => toZipLink(path, target)),
    { path: '1.0/index.html', content: 'one', isStored: false },
    { path: '1.0/deep/a.css', content: 'css' },
  ])
  for (const bytes of [tar, gzipSync(tar), zip])
    expect(await read(bytes)).toMatchObject({ files: expected, remarks: {} })
})

test('hard links count from the root of the archive, also through other links', async () => {
  const tar = await packEntries(
    tarLink('b/early.html', './a/index.html', 'link'),
    tarFile('a/index.html', 'one'),
    tarLink('b/index.html', 'a/index.html', 'link'),
    tarLink('c.html', 'b/index.html', 'link'),
    tarLink('d.html', 'c.html'),
  )
  const { files, remarks } = await read(tar)
  expect(Object.keys(files).toSorted()).toEqual(['a/index.html', 'b/early.html', 'b/index.html', 'c.html', 'd.html'])
  expect(new Set(Object.values(files))).toEqual(new Set(['one']))
  expect(remarks).toEqual({})
})

test('a link to nothing, to itself or to the folder around it is left out with a note', async () => {
  const { files, remarks } = await read(
    await packEntries(
      tarFile('index.html', page()),
      tarLink('gone', 'missing/file'),
      tarLink('self', 'self'),
      tarLink('twin', 'self', 'link'),
      tarLink('here', '.'),
      tarLink('docs/up', '..'),
      tarFile('docs/index.html', page()),
      tarLink('again', 'docs'),
    ),
  )
  expect(Object.keys(files).toSorted()).toEqual(['again/index.html', 'docs/index.html', 'index.html'])
  expect(remarks).toEqual({ 'dangling-link': ['again/up', 'docs/up', 'gone', 'here', 'self', 'twin'] })
})

test('a large file and its copy are read whole', async () => {
  const large = 'large '.repeat(400_000)
  const { files } = await read(
    gzipSync(await packEntries(tarFile('a.txt', large), tarLink('b.txt', 'a.txt')), { level: 0 }),
  )
  expect(files['b.txt'] === large && files['a.txt'] === large).toBe(true)
})

test('a file that comes twice counts as its last one, with a note', async () => {
  for (const bytes of [
    await packEntries(tarFile('a.html', 'first'), tarFile('b.html', 'b'), tarFile('.//a.html', 'second')),
    packZip([
      { path: 'a.html', content: 'first' },
      { path: 'b.html', content: 'b' },
      { path: 'a.html', content: 'second' },
    ]),
  ])
    expect(await read(bytes)).toMatchObject({
      files: { 'a.html': 'second', 'b.html': 'b' },
      remarks: { 'repeated-file': ['a.html'] },
    })
})

const portable = [
  'index.html',
  'guide/größe.html',
  '😀.html',
  '100%.html',
  'a#b.html',
  'sp ace.html',
  'console.html',
  '.well-known/x',
]
const unportable = [
  'C:drive.html',
  'con.html',
  'AUX',
  'guide/nul/x.html',
  'lpt1.css',
  'what?.html',
  'a<b.html',
  'a|b',
  'a*',
  '"q".html',
  'end.',
  'end ',
  'guide ./x.html',
  'back\\slash.html',
]

test('names that Windows can’t have are stored with a note', async () => {
  const paths = [...portable, ...unportable]
  for (const bytes of [
    await packEntries(...paths.map((path) => tarFile(path, path.replaceAll(/[^ -~]/g, 'x')))),
    packZip(paths.map((path) => ({ path, content: path.replaceAll(/[^ -~]/g, 'x') }))),
  ]) {
    const { files, remarks } = await read(bytes)
    expect(Object.keys(files).toSorted()).toEqual(paths.toSorted())
    expect(remarks).toEqual({ 'unportable-name': unportable.toSorted() })
  }
})

test('names that differ by case or accents’ encoding are stored with a note', async () => {
  const paths = ['api/DBSCAN.html', 'api/dbscan.html', 'caf\u00e9.html', 'cafe\u0301.html', 'guide', 'GUIDE/index.html']
  for (const bytes of [
    await packEntries(...paths.map((path) => tarFile(path))),
    packZip(paths.map((path) => ({ path }))),
  ]) {
    const { files, remarks } = await read(bytes)
    expect(Object.keys(files).toSorted()).toEqual(paths.toSorted())
    expect(remarks['similar-names']).toEqual(paths.slice(0, 4).toSorted())
  }
})

test('a name that no folder can have leaves out its file alone, with a note', async () => {
  const { files, remarks } = await read(
    await packEntries(
      tarFile('index.html', page()),
      tarFile('replaced', 'x', { path: 'line\nbreak' }),
      tarFile('replaced', 'x', { path: 'nul\0.html' }),
      tarFile('guide', 'a file'),
      tarFile('guide/index.html', page()),
      tarFile('guide', 'again'),
    ),
  )
  expect(Object.keys(files).toSorted()).toEqual(['guide/index.html', 'index.html'])
  expect(remarks).toEqual({ 'unusable-name': ['guide', 'guide', 'line�break', 'nul�.html'] })
})

test('what macOS and Windows add is left out and counted', async () => {
  const added = [
    '._index.html',
    '__MACOSX/._index.html',
    '__MACOSX/guide/x',
    'guide/.DS_Store',
    'guide/Thumbs.db',
    'Icon\r',
  ]
  for (const bytes of [
    await packEntries(...added.map((path) => tarFile('replaced', 'x', { path })), tarFile('index.html', page())),
    packZip([...added.map((path) => ({ path })), { path: 'index.html', content: page() }]),
  ]) {
    const { files, remarks, manifest } = await read(bytes)
    expect([Object.keys(files), manifest.pages.length]).toEqual([['index.html'], 1])
    expect(remarks).toEqual({ 'system-file': added.map((path) => path.replace('\r', '�')).toSorted() })
  }
})

test('backslashes separate folders in a zip of Windows alone', async () => {
  const entry = { path: 'guide\\start.html', content: page() }
  expect(await read(packZip([{ ...entry, system: 0 }]))).toMatchObject({
    files: { 'guide/start.html': page() },
    remarks: {},
  })
  expect(Object.keys((await read(packZip([entry]))).files)).toEqual(['guide\\start.html'])
})

const foreign = (path: Buffer, links: string, start = ''): HostileEntry[] => [
  { path: 'index.html', content: `${start}${page(links)}` },
  { path, content: page(), flags: 0 },
]
const [gbk, shiftJis, latin1, cp437] = [
  Buffer.from('bfeccbd9bfaacabc2e68746d6c', 'hex'),
  // The second half of a letter is a backslash.
  Buffer.from('955c2e68746d6c', 'hex'),
  Buffer.from('gr\xf6\xdfe.html', 'latin1'),
  Buffer.from('gr\x94\xe1e.html', 'latin1'),
]

test.each([
  ['GBK, by a link', foreign(gbk, '<a href="快速开始.html">'), '快速开始.html', 'gb18030'],
  ['GBK, by an encoded link', foreign(gbk, `<a href="${encodeURI('快速开始.html')}">`), '快速开始.html', 'gb18030'],
  ['GBK, by the language', foreign(gbk, '', '<html lang="zh-CN">'), '快速开始.html', 'gb18030'],
  ['Shift_JIS, by the encoding', foreign(shiftJis, '', '<meta charset="Shift_JIS">'), '表.html', 'shift_jis'],
  ['Latin-1, by a link', foreign(latin1, '<a href=größe.html>'), 'größe.html', 'windows-1252'],
  ['CP437, by a link', foreign(cp437, '<a href="größe.html">'), 'größe.html', 'cp437'],
  ['CP437, as the format says', foreign(cp437, ''), 'größe.html', 'cp437'],
] as const)('a zip with a name in %s is decoded with a note', async (_, entries, name, encoding) => {
  for (const system of name === '表.html' ? [0, 3] : [3]) {
    const { files, remarks, report } = await read(packZip(entries.map((entry) => ({ ...entry, system }))))
    expect(Object.keys(files)).toContain(name)
    expect(remarks).toEqual({ 'decoded-name': [name] })
    expect(report.findings.find(({ rule }) => rule === 'decoded-name')?.target).toBe(encoding)
  }
})

test('a zip with UTF-8 that it doesn’t announce is read as UTF-8 without a note', async () => {
  const { files, remarks } = await read(packZip(foreign(Buffer.from('größe.html'), '')))
  expect([Object.keys(files), remarks]).toEqual([['index.html', 'größe.html'], {}])
})

const latinTar = async (links: string) =>
  renameInTar(
    await packEntries(
      tarFile('index.html', page(links)),
      tarFile('fo__r/gr__e.html', page()),
      tarFile('größe.html', page(), { path: 'größe.html' }),
      tarLink('copy', 'fo__r'),
    ),
    '__',
    Buffer.from('\xf6\xdf', 'latin1'),
  )

test('a tar with names in Latin-1 is decoded by the links of its pages, folders and links included', async () => {
  const { files, remarks } = await read(await latinTar('<a href="foößr/größe.html">'))
  expect(Object.keys(files).toSorted()).toEqual(['copy/größe.html', 'foößr/größe.html', 'größe.html', 'index.html'])
  expect(remarks).toEqual({ 'decoded-name': ['copy/größe.html', 'foößr/größe.html'] })
})

test('an address reaches bytes of an unknown encoding, and one with a % that begins no byte is none', () => {
  expect(decodeAddress('/fo%f6%DFr/gr%C3%B6%ff.html')).toBe('/fo%F6%DFr/grö%FF.html')
  expect(decodeAddress('/100%.html')).toBeNull()
})

test.each(['', '<a href="fo%F6%DFr/gr%F6%DFe.html">', '<a href="fo%f6%dfr/gr%f6%dfe.html">'])(
  'bytes of an unknown encoding stay as addresses have them (%j)',
  async (links) => {
    const { files, remarks, report } = await read(await latinTar(links))
    expect(Object.keys(files)).toContain('fo%F6%DFr/gr%F6%DFe.html')
    expect(report.findings.filter(({ level }) => level === 'breaks')).toEqual([])
    expect(remarks).toEqual({ 'undecoded-name': ['copy/gr%F6%DFe.html', 'fo%F6%DFr/gr%F6%DFe.html'] })
  },
)
