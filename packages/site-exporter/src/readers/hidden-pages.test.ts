import { writeFolder } from '@docket/sources/testing/files'
import { expect, test } from 'vitest'
import { exportFiles, exportFolder, linkProblems, type WrittenFiles } from '#testing/site.ts'

const json = (value: unknown) => JSON.stringify(value)
const page = (head: string, text: string) => `---\n${head}\n---\n\n${text}\n`

const searchText = (files: WrittenFiles) =>
  [...files].flatMap(([file, text]) => (file.startsWith('_docket/search/') ? [text] : [])).join('\n')

const site = {
  'docs.json': json({
    name: 'Docs',
    navigation: {
      groups: [
        { group: 'Secret', hidden: true, pages: ['in-group', { group: 'Deeper', pages: ['deeper'] }] },
        { group: 'Guide', pages: ['zebra/start', 'hidden', 'noindex', 'robots', 'seps/0001-a-'] },
        { group: 'More', pages: ['alpha', 'draft'] },
      ],
    },
  }),
  'zebra/start.mdx': page(
    'title: Start',
    '[Hidden](/hidden) [orphan](../orphan.mdx) [agents](/AGENTS.md) [alpha](/alpha) [readme](/README.mdx) [file](/leak.mdx)',
  ),
  'alpha.mdx': page('title: Alpha', 'ALPHAWORD'),
  'seps/0001-a-.mdx': page('title: Hyphen', 'Text'),
  'hidden.mdx': page('title: Hidden\nhidden: true', 'SECRETWORD'),
  'noindex.mdx': page('title: No index\nnoindex: true', 'SECRETWORD'),
  'robots.mdx': page('title: Robots\nseo:\n  metatags:\n    robots: noindex, nofollow', 'SECRETWORD'),
  'draft.mdx': page('title: Draft\ndraft: true', 'SECRETWORD'),
  'in-group.mdx': page('title: In a group', 'SECRETWORD'),
  'deeper.mdx': page('title: Deeper', 'SECRETWORD'),
  'orphan.mdx': page('title: Orphan', 'SECRETWORD'),
  'index.mdx': page('title: Internal', 'SECRETWORD'),
  // Links are also resolved to files in this folder.
  'public/leak.mdx': page('title: Leak', 'SECRETWORD'),
  'AGENTS.md': '# Rules\n\nSECRETWORD\n',
  'README.mdx': '# Starter kit\n\nSECRETWORD\n',
}

test('only pages in the navigation are exported; hidden pages appear in no file, are counted, and links to them are reported', async () => {
  const { files, report } = await exportFolder(await writeFolder(site), 'docs.example.com')
  const withSecret = [...files].flatMap(([name, text]) => (text.includes('SECRETWORD') ? [name] : []))
  expect(withSecret).toEqual([])
  expect([...files.keys()].filter((name) => name.endsWith('.html')).toSorted()).toEqual([
    '404.html',
    'alpha.html',
    'index.html',
    'seps/0001-a.html',
    'zebra/start.html',
  ])
  expect(linkProblems(files)).toEqual([])
  expect(report.hiddenPages).toEqual({
    draft: 1,
    hidden: 3,
    noindex: 2,
    'outside the navigation': 3,
    'for agents': 1,
  })
  const remarks = report.lines.map(({ file, kind, what }) => `${file} ${kind} ${what}`)
  expect(remarks).toContain('draft.mdx not-a-page hidden: it is a draft')
  expect(remarks).toContain('orphan.mdx not-a-page hidden: the navigation does not list it')
  for (const link of ['/hidden', '../orphan.mdx', '/AGENTS.md'])
    expect(remarks).toContain(`zebra/start.mdx broken-link ${link}: the page is hidden`)
})

test('the site opens with the first page of its navigation, and the site name links to that page', async () => {
  const { files } = await exportFiles(site)
  expect(files.get('index.html')).toContain('content="0; url=zebra/start.html"')
  expect(files.get('alpha.html')).toMatch(/<a class="brand" href="zebra\/start\.html">/)
  expect(files.get('seps/0001-a.html')).toMatch(/<a href="0001-a\.html" aria-current="page">Hyphen/)
})

test('hidden pages that are exported on request are reachable by their addresses only', async () => {
  const { files, report } = await exportFolder(await writeFolder(site), 'docs.example.com', { hiddenPages: true })
  for (const name of ['hidden.html', 'draft.html', 'orphan.html', 'deeper.html', 'AGENTS.html'])
    expect(files.get(name)).toContain('<meta name="robots" content="noindex">')
  expect(files.get('alpha.html')).not.toContain('noindex')
  expect(files.get('zebra/start.html')).toContain('href="../hidden.html"')
  // The site still opens with the first page of its navigation.
  expect(files.get('alpha.html')).toMatch(/<a class="brand" href="zebra\/start\.html">/)
  expect(files.get('alpha.html')).not.toMatch(/hidden\.html|draft\.html|orphan\.html/)
  expect(searchText(files)).toMatch(/alphaword/i)
  expect(searchText(files)).not.toMatch(/secretword/i)
  expect(files.get('sitemap.xml')).toContain('zebra/start')
  expect(files.get('sitemap.xml')).not.toMatch(/hidden|draft|orphan|AGENTS/)
  expect(report.hiddenPages).toMatchObject({ draft: 1, noindex: 2 })
})

test('without a navigation, every page that is not hidden is exported', async () => {
  const { files, report } = await exportFiles({
    'index.md': '# Home\n',
    'any.md': '# Any\n',
    'draft.md': page('draft: true', '# Draft'),
    'sub/CLAUDE.md': '# Rules\n',
  })
  expect([...files.keys()].filter((name) => name.endsWith('.html')).toSorted()).toEqual([
    '404.html',
    'any.html',
    'index.html',
  ])
  expect(report.hiddenPages).toEqual({ draft: 1, 'for agents': 1 })
})

test('a site opens with the default page of its navigation, or with the target of a redirect from the root', async () => {
  const versions = [
    { version: 'v1', pages: ['v1/start'] },
    { version: 'v2', default: true, pages: ['v2/start'] },
  ]
  const pages = { 'v1/start.mdx': '# One\n', 'v2/start.mdx': '# Two\n' }
  const { files } = await exportFiles({ ...pages, 'docs.json': json({ navigation: { versions } }) })
  expect(files.get('index.html')).toContain('url=v2/start.html')
  const redirects = [{ source: '/', destination: '/v1/start' }]
  const redirected = await exportFiles({ ...pages, 'docs.json': json({ navigation: { versions }, redirects }) })
  expect(redirected.files.get('index.html')).toContain('url=v1/start.html')
})

test('a deeply nested page is exported, and navigation past the depth limit is ignored', async () => {
  const nested = (levels: number): unknown =>
    levels === 0 ? 'deep' : { group: `Level ${levels}`, pages: [nested(levels - 1)] }
  const exportNested = (levels: number) =>
    exportFiles({
      'docs.json': json({ navigation: { tabs: [{ tab: 'All', groups: ['start', nested(levels)] }] } }),
      'start.mdx': '# Start\n',
      'deep.mdx': '# Deep\n',
    })
  const { files, report } = await exportNested(8)
  expect(files.has('deep.html')).toBe(true)
  expect(report.hiddenPages).toBeUndefined()
  expect((await exportNested(300)).files.has('start.html')).toBe(true)
})

test('an export fails with a readable error if all pages are hidden', async () => {
  const draft = { 'a.md': page('draft: true', 'Text') }
  await expect(exportFiles(draft)).rejects.toThrow('All pages of the source are hidden (1)')
})
