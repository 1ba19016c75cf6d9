import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { guideFolder, openStoredGuide } from '#apps/bff/src/overview/help/stored-guide.ts'
import { exportSite } from '#packages/site-exporter/src/export-site.ts'
import { openSource } from '#packages/site-exporter/src/open-source.ts'
import { checkContents, listAlarms } from '#packages/site-bundle/src/testing/site.ts'
import { openSite } from './site-folder.ts'
import { compareExports, sourceCheck } from './source-check.ts'
import { staticCheck } from './static-check.ts'

const source = join(import.meta.dirname, 'fixture')
const target = await mkdtemp(join(tmpdir(), 'docket-site-'))
afterAll(() => rm(target, { recursive: true }))

const exportFixture = async () => {
  const opened = await openSource({ kind: 'folder', folder: source }, target, async () => {})
  await exportSite(opened, { domain: 'harbour.example.com', version: null, paths: null, target })
  return (await openSite(target)).files
}
const fixture = exportFixture()

/** What the check of stored bundles would alarm people with. */
const alarms = async (files: ReadonlyMap<string, Buffer>) =>
  listAlarms((await checkContents(Object.fromEntries(files))).report.findings)

test("Docket's own guide, as exported by the build, has no faulty file", async () => {
  const guide = openStoredGuide(guideFolder)
  const sum = await guide.findSum()
  expect(sum, 'the guide is built with `pnpm build`').not.toBeNull()
  const site = guide.open(sum!)
  const files = new Map<string, Buffer>()
  for (const { path } of (await site.manifest()).files) files.set(path, await buffer(await site.read(path)))
  const { counts, faults } = staticCheck(files)
  expect(faults).toEqual([])
  const report = await site.report()
  expect(report.unfinished).toBeNull()
  expect(listAlarms(report.findings)).toEqual([])
  expect(counts.pages).toBeGreaterThan(20)
  expect(counts.forgiven).toBe(0)
})

test('a site with one of every supported element has no faulty file', async () => {
  const files = await fixture
  const { counts, faults } = staticCheck(files)
  expect(faults).toEqual([])
  expect(await alarms(files)).toEqual([])
  expect(counts.links).toBeGreaterThan(80)
  expect([...files.keys()]).toEqual(
    expect.arrayContaining(['sitemap.xml', 'guides/über-uns.html', 'old/components.html']),
  )
})

const page = 'guides/code.html'
type Plant = [kind: string, what: string, file: string, from: string | RegExp, to: string]

test.each<Plant>([
  ['link', 'a link to no page', page, '<article>', '<article><a href="nowhere.html">x</a>'],
  ['link', 'a link that climbs out of the site', page, '<article>', '<article><a href="../../index.html">x</a>'],
  ['fragment', 'a fragment of another page', page, '<article>', '<article><a href="long-page.html#nowhere">x</a>'],
  ['fragment', 'a fragment of its own', page, '<article>', '<article><a href="#nowhere">x</a>'],
  ['load', 'a missing image', page, '<article>', '<article><img src="nowhere.png" alt="">'],
  ['load', 'a missing image of another density', page, '<article>', '<article><img srcset="nowhere.png 2x" alt="">'],
  ['load', 'a missing style sheet', page, '_docket/site.css', '_docket/nowhere.css'],
  ['load', 'a missing script', page, '_docket/site.js', '_docket/nowhere.js'],
  ['load', 'a missing picture in a style sheet', '_docket/site.css', /$/, '\n.x{background:url("nowhere.png")}'],
  ['root-absolute', 'an address from the root', page, '<article>', '<article><a href="/index.html">x</a>'],
  ['root-absolute', 'an image from the root', page, '<article>', '<article><img src="/x.png" alt="">'],
  ['third-party', 'a foreign image', page, '<article>', '<article><img src="https://example.com/x.png" alt="">'],
  ['third-party', 'a foreign script', page, '</head>', '<script src="//example.com/x.js"></script></head>'],
  ['third-party', 'a foreign font', '_docket/site.css', /$/, '\n@import "https://example.com/x.css";'],
  ['scheme', 'a link that runs something', page, '<article>', '<article><a href="javascript:alert(1)">x</a>'],
  ['frame', 'a page without a style sheet', page, /<link rel="stylesheet"[^>]*>/, ''],
  ['frame', 'a page without a policy', page, /<meta http-equiv="Content-Security-Policy"[^>]*>/, ''],
  ['frame', 'a page without a language', page, '<html lang="en"', '<html'],
  ['inline', 'a handler', page, '<article>', '<article onclick="x()">'],
  ['inline', 'a style', page, '<article>', '<article style="color: red">'],
  ['inline', 'a style that the policy does not name', '404.html', '<style>', '<style>x'],
  ['heading', 'a second main heading', page, '</article>', '<h1>x</h1></article>'],
  ['heading', 'a heading that is said twice', page, '</h1>', '</h1><h2>Code</h2>'],
  ['id', 'an id that occurs twice', page, '<article>', '<article><p id="docket-content">x</p>'],
  ['structure', 'a paragraph in a list', page, '<article>', '<article><ul><p>x</p></ul>'],
  ['source', 'a tag', page, '<article>', '<article><p>&lt;Card title="x"> ::: {% x %}</p>'],
  ['source', 'a block', page, '<article>', '<article><p>::: tip</p>'],
  ['source', 'a template', page, '<article>', '<article><p>Since {{ version }}</p>'],
  ['source', 'an import', page, '<article>', '<article><p>import A from "a"</p>'],
  ['sitemap', 'an entry without a page', 'sitemap.xml', 'guides/code<', 'guides/nowhere<'],
])('a fault of the kind %s is reported: %s', async (kind, _what, file, from, to) => {
  const files = new Map(await fixture)
  const before = files.get(file)!.toString('utf8')
  const after = before.replace(from, to)
  expect(after).not.toBe(before)
  files.set(file, Buffer.from(after))
  expect(staticCheck(files).faults.map((fault) => fault.kind)).toContain(kind)
})

test('a page missing from the search or the sitemap is reported, and so is a listed page that does not exist', async () => {
  const more = new Map(await fixture)
  more.set('more.html', more.get('index.html')!)
  expect(staticCheck(more).faults.map(({ page: at, kind }) => `${kind} ${at}`)).toEqual([
    'sitemap more.html',
    'search more.html',
  ])
  const fewer = new Map(await fixture)
  fewer.delete(page)
  const kinds = new Set(staticCheck(fewer).faults.map(({ kind }) => kind))
  expect([...kinds].toSorted()).toEqual(['link', 'search', 'sitemap'])
})

test('a broken fragment is allowed only on the page and for the address that the report names', async () => {
  const files = new Map(await fixture)
  const html = files.get(page)!.toString('utf8')
  files.set(page, Buffer.from(html.replace('<article>', '<article><a href="long-page.html#gone">x</a>')))
  const report = (from: string) => {
    const lines = [{ page: from, file: 'x', kind: 'broken-anchor', what: 'guides/long-page#gone' }]
    files.set('export-report.json', Buffer.from(JSON.stringify({ lines })))
    return staticCheck(files)
  }
  expect(report('guides/code')).toMatchObject({ faults: [], counts: { forgiven: 1 } })
  expect(report('index').faults).toMatchObject([{ page, kind: 'fragment' }])
})

const beside = async (change: (files: Map<string, Buffer>) => void) => {
  const files = new Map(await fixture)
  change(files)
  return (await sourceCheck(source, files)).faults.map(({ page: at, kind }) => `${kind} ${at}`)
}
const write = (name: string, from: string | RegExp, to: string) => (files: Map<string, Buffer>) =>
  files.set(name, Buffer.from(files.get(name)!.toString('utf8').replace(from, to)))

test('a site opens at its configured page, has all pages of the navigation, and its search contains no hidden word', async () => {
  expect(await beside(() => {})).toEqual([])
  expect(await beside((files) => files.delete(page))).toEqual(['navigation guides/code'])
  const leading = '<meta http-equiv="refresh" content="0; url=guides/code.html">'
  expect(await beside(write('index.html', '<meta', `${leading}<meta`))).toContain('start guides/code.html')
})

test('a word that occurs only on hidden pages is reported if the search contains it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docket-hidden-'))
  await cp(source, folder, { recursive: true })
  await writeFile(join(folder, 'guides/plan.md'), '# Plan\n\nThe quicksilver harbour.\n')
  const { counts, faults } = await sourceCheck(folder, await fixture)
  expect([counts.hidden, faults]).toEqual([1, []])
  const shown = new Map(await fixture)
  const [name, content] = [...shown].find(([file]) => file.startsWith('_docket/search/0/pages-'))!
  shown.set(name, Buffer.concat([content, Buffer.from('quicksilver')]))
  expect((await sourceCheck(folder, shown)).faults).toMatchObject([{ kind: 'hidden', what: 'quicksilver' }])
  await rm(folder, { recursive: true })
})

test('two exports that differ in content or in their set of files are reported', async () => {
  const one = await fixture
  const other = new Map(one)
  other.set(page, Buffer.from('x'))
  other.delete('sitemap.xml')
  expect(compareExports(one, new Map(one))).toEqual([])
  expect(compareExports(one, other)).toMatchObject([
    { page, kind: 'unstable' },
    { page: 'sitemap.xml', kind: 'unstable' },
  ])
})
