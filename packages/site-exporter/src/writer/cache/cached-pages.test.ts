import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSourceFolder } from '@docket/sources/source-folder'
import { temporaryFolder, writeFolder } from '@docket/sources/testing/files'
import { afterAll, expect, test } from 'vitest'
import { readSite } from '#readers/read-site.ts'
import { exportOpened, readFiles } from '#testing/site.ts'
import { writeSite } from '#writer/write-site.ts'
import { openEntryStore } from './entry-store.ts'
import { traceCalls } from './call-trace.ts'

type Files = Readonly<Record<string, string>>

const drawing = (color: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><rect width="1" height="1" fill="${color}"/></svg>`

const petStore = (summary: string) =>
  JSON.stringify({
    openapi: '3.0.0',
    info: { title: 'Pets', version: '1' },
    paths: { '/pets': { get: { summary, responses: { 200: { description: 'All of them' } } } } },
  })

const site: Files = {
  'docs.json': JSON.stringify({
    name: 'Acorn',
    colors: { primary: '#246' },
    navigation: { groups: [{ group: 'Guide', pages: ['index', 'a', 'b', 'c', 'd', 'pets'] }] },
  }),
  'index.md': '# Home\n\nTo [A](/a#first), [B](b.md), [the list](list.csv) and [nowhere](gone.md).\n',
  'a.md': '---\ntitle: A\n---\n\n## First\n\n```python\ndef f(x):\n    return 1\n```\n\n![A tree](tree.svg)\n',
  'b.md': '# B\n\n````md\n```python\ndef f(x):\n    return 1\n```\n````\n\nBack to [A](a.md#FIRST).\n',
  'c.mdx': 'import Part from "/snippets/part.mdx"\n\n# C\n\n<Part word="acorn" />\n\n<Unknown>kept</Unknown>\n',
  'd.md': '# D\n\n<!--@include: ./snippets/shared.md-->\n\n[Gone](gone.md) ![none](none.png)\n',
  'pets.mdx': '---\nopenapi: openapi.json GET /pets\n---\n\nAbout pets.\n',
  'openapi.json': petStore('List pets'),
  'snippets/part.mdx': 'A word: {word}.\n',
  'snippets/shared.md': 'Shared text.\n',
  'tree.svg': drawing('green'),
  'list.csv': 'a,b\n',
}

const exportTo = async (files: Files, cache: string | null, domain = 'docs.localhost') => {
  const folder = await openSourceFolder(await writeFolder(files))
  const target = join(await temporaryFolder(), 'site')
  const order = { folder, site: await readSite(folder, 'Test'), domain, version: null, target, cache }
  await writeSite({ ...order, onPage: () => Promise.resolve() })
  return readFiles(target)
}

const entries = async (cache: string) =>
  (await readdir(cache, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())

const kept = await mkdtemp(join(tmpdir(), 'docket-cache-'))
afterAll(() => rm(kept, { recursive: true }))
let filling: ReturnType<typeof exportTo> | undefined

/** A new cache filled by an export of the site, and the files of that export. */
const filledCache = async () => {
  const full = await (filling ??= exportTo(site, kept))
  const cache = await temporaryFolder()
  await cp(kept, cache, { recursive: true, preserveTimestamps: true })
  return { cache, full }
}

const changes: [string, Files, number | null][] = [
  ['nothing', {}, 0],
  ['the text of a page', { 'b.md': site['b.md']!.replace('Back', 'Return') }, 1],
  ['a title that others show', { 'a.md': site['a.md']!.replace('title: A', 'title: Apple') }, 1],
  ['a heading that others link to', { 'a.md': site['a.md']!.replace('## First', '## Second') }, 1],
  ['the navigation', { 'docs.json': site['docs.json']!.replace('"a","b"', '"b","a"') }, 0],
  ['the name and the colours', { 'docs.json': site['docs.json']!.replace('Acorn', 'Oak').replace('#246', '#a22') }, 0],
  ['an imported snippet', { 'snippets/part.mdx': 'Another word: {word}.\n' }, 1],
  ['an included file', { 'snippets/shared.md': 'Other text.\n' }, 1],
  ['a picture', { 'tree.svg': drawing('red') }, 1],
  ['a picture that is refused', { 'tree.svg': '<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>' }, 1],
  ['a file that a page links to', { 'list.csv': 'a,b\n1,2\n' }, 1],
  ['a page where a link led nowhere', { 'gone.md': '# Here now\n' }, null],
  ['an OpenAPI document', { 'openapi.json': petStore('Show pets') }, null],
  [
    'a redirect',
    { 'docs.json': site['docs.json']!.replace('{', '{"redirects":[{"source":"/gone","destination":"/a"}],') },
    2,
  ],
]

test.each(changes)(
  'after a change of %s, an export from the cache is byte-equal to a full export',
  async (_, change, count) => {
    const { cache } = await filledCache()
    const filled = new Map(
      await Promise.all(
        (await entries(cache)).map(async ({ parentPath, name }) => {
          const file = join(parentPath, name)
          return [file, await readFile(file, 'latin1')] as const
        }),
      ),
    )
    const changed = { ...site, ...change }
    expect(await exportTo(changed, cache)).toEqual(await exportTo(changed, null))
    const written = await Promise.all(
      (await entries(cache)).map(async ({ parentPath, name }) => {
        const file = join(parentPath, name)
        return filled.get(file) !== (await readFile(file, 'latin1'))
      }),
    )
    if (count !== null) expect(written.filter(Boolean)).toHaveLength(count)
  },
)

test('the colours of code depend on its language and text alone, not on the pages before', async () => {
  const embedded = '````md\n```ruby\ndef one = 1\n```\n````\n'
  const ruby = '```ruby\ndef one = 1\n```\n'
  const alone = await exportTo({ 'c.md': embedded }, null)
  const after = await exportTo({ 'a.md': embedded, 'b.md': ruby, 'c.md': embedded }, null)
  const readCode = (page: string | undefined) => /<pre[\s\S]*<\/pre>/.exec(page!)![0]
  expect(readCode(after.get('c.html'))).toBe(readCode(alone.get('c.html')))
  expect(readCode(after.get('a.html'))).toBe(readCode(alone.get('c.html')))
  expect(after.get('b.html')).toContain('<span class="k">def')
})

test('concurrent exports of several sites can share a cache', async () => {
  const cache = await temporaryFolder()
  const full = await exportTo(site, null, 'docs.example.com')
  const all = await Promise.all([
    exportTo(site, cache, 'docs.example.com'),
    exportTo(site, cache),
    exportTo(site, cache, 'docs.example.com'),
  ])
  expect(all[0]).toEqual(full)
  expect(all[2]).toEqual(full)
  expect(await exportTo(site, cache, 'docs.example.com')).toEqual(full)
})

test('damaged, foreign and cut-off entries count as missing and are replaced', async () => {
  const { cache, full } = await filledCache()
  const files = await entries(cache)
  for (const [index, { parentPath, name }] of files.entries()) {
    const file = join(parentPath, name)
    const content = await readFile(file)
    const damaged = Buffer.from(content)
    damaged[damaged.length - 5]! ^= 1
    await writeFile(
      file,
      [damaged, content.subarray(0, 60), '', await readFile(join(files[0]!.parentPath, files[0]!.name))][index % 4]!,
    )
  }
  expect(await exportTo(site, cache)).toEqual(full)
  expect(await exportTo(site, cache)).toEqual(full)
})

test('an export reads the file of each page once', async () => {
  const folder = await openSourceFolder(
    await writeFolder({ 'index.md': '# Home\n', 'a.md': '# A\n', 'b/c.mdx': '# C\n' }),
  )
  const reads: string[] = []
  const read = (file: string, maxBytes: number) => {
    if (/\.mdx?$/.test(file)) reads.push(file)
    return folder.read(file, maxBytes)
  }
  const { files } = await exportOpened({ ...folder, read })
  expect(reads.toSorted()).toEqual(['a.md', 'b/c.mdx', 'index.md'])
  expect(files.get('b/c.html')).toContain('>C</h1>')
})

test('an export with an unwritable cache still succeeds', async () => {
  const file = join(await writeFolder({ 'a-file': '' }), 'a-file')
  expect(await exportTo(site, join(file, 'cache'))).toEqual(await exportTo(site, null))
})

test('a cache stays within its size and removes unused entries, the oldest first', async () => {
  const cache = await temporaryFolder()
  const clock = { ms: Date.now() }
  const store = openEntryStore(cache, () => clock.ms)
  const key = (name: string) => name.repeat(40)
  for (const name of ['a', 'b', 'c']) store.write(key(name), 'x'.repeat(1_000))
  clock.ms += 2 * 3_600_000
  for (const name of ['a', 'c']) expect(store.read(key(name))).toBe('x'.repeat(1_000))
  store.sweep({ maxBytes: 2_500, maxAgeMs: 86_400_000 })
  expect(['a', 'b', 'c'].map((name) => store.read(key(name)) !== null)).toEqual([true, false, true])
  clock.ms += 2 * 86_400_000
  store.sweep({ maxBytes: 2_500, maxAgeMs: 86_400_000 })
  expect(await entries(cache)).toEqual([])
})

test('pages whose inputs cannot be compared are not cached', () => {
  const { tools, calls } = traceCalls({ make: () => () => 1, note: (text: string) => void text }, null)
  tools.note('one')
  expect(calls()).toEqual([{ tool: 'note', args: ['one'], result: null }])
  tools.make()
  expect(calls()).toBeNull()
})
