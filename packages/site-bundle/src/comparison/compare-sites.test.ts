import { expect, test } from 'vitest'
import { compareSites } from './compare-sites.ts'
import { writeReleaseNote } from './release-note.ts'
import { generateSite, writeText, type SiteBuild } from './testing/generated-site.ts'
import { openMemorySite } from './testing/memory-site.ts'

const { signal } = new AbortController()
const open = (site: Partial<SiteBuild> & { build: string }, redirects?: { from: string; to: string }[]) =>
  openMemorySite(generateSite({ pages: 60, ...site }), redirects)
const compare = (earlier: ReturnType<typeof open>, later: ReturnType<typeof open>) =>
  compareSites(earlier, later, signal)

const first = open({ build: 'first' })

const nothing = {
  version: 1,
  counts: { added: 0, removed: 0, changed: 0, moved: 0 },
  shared: [],
  files: { added: 0, removed: 0, changed: 0 },
  unread: 0,
  pages: [],
}

test('Two builds that differ only in build ids, chunk names and dates are equal without reading a page', async () => {
  const later = open({ build: 'the second' })
  expect(await compare(first, later)).toEqual(nothing)
  expect([...first.reads, ...later.reads].filter((path) => path.endsWith('.html'))).toEqual([])
})

test('One changed word in one of 1,000 pages is exactly one changed page, and only that page is read', async () => {
  const [pages, text] = [1_000, writeText(7, 240)]
  const earlier = open({ pages, build: 'first' })
  const later = open({ pages, build: 'the second', texts: new Map([[7, text.replace(/^\w+/, 'changed')]]) })
  expect(await compare(earlier, later)).toEqual({
    ...nothing,
    counts: { ...nothing.counts, changed: 1 },
    pages: [
      {
        kind: 'changed',
        address: '/guide/page-7',
        title: 'Page 7',
        from: null,
        words: { added: 1, removed: 1 },
        parts: ['text'],
        redirect: null,
      },
    ],
  })
  expect(earlier.reads.filter((path) => path.endsWith('.html'))).toEqual(['guide/page-7.html'])
})

test('A changed theme is reported in one line, and no page as changed', async () => {
  const compared = await compare(first, open({ build: 'second', style: '.a{color:blue}' }))
  expect(compared).toEqual({
    ...nothing,
    files: { added: 0, removed: 0, changed: 1 },
    shared: [{ part: 'theme', sentence: 'The theme changed on all 60 pages.' }],
  })
})

test('A moved page is reported as one move, even if other pages and the navigation link to it', async () => {
  const later = open({ build: 'second', names: new Map([[5, 'start/first-steps']]) })
  const { counts, pages, shared } = await compare(first, later)
  expect(counts).toEqual({ added: 0, removed: 0, changed: 0, moved: 1 })
  expect(pages).toMatchObject([
    {
      kind: 'moved',
      address: '/start/first-steps',
      from: '/guide/page-5',
      words: { added: 0, removed: 0 },
      parts: [],
      redirect: { exists: false, proposal: '/start/first-steps' },
    },
  ])
  expect(shared).toEqual([{ part: 'navigation', sentence: 'The navigation changed on 29 of 59 pages.' }])
})

test('A moved page with some changed words is reported as one move with those words', async () => {
  const text = writeText(5, 240).replaceAll(/(?<=^(?:\w+ ){40})\w+|(?<=^(?:\w+ ){90})\w+/g, 'changed')
  const later = open({ build: 'second', names: new Map([[5, 'start/first-steps']]), texts: new Map([[5, text]]) }, [
    { from: '/guide/page-5', to: '/start/first-steps' },
  ])
  const { counts, pages } = await compare(first, later)
  expect(counts).toEqual({ added: 0, removed: 0, changed: 0, moved: 1 })
  expect(pages).toMatchObject([{ parts: ['text'], words: { added: 2, removed: 2 }, redirect: { exists: true } }])
})

test('A removed page is reported with whether it redirects, and with its parent page as the proposed target', async () => {
  const files = generateSite({ pages: 60, build: 'second', without: new Set([3, 4]) })
  files.set('guide/index.html', '<title>Guide</title><main><p>All about it')
  files.set('guide/page-4.html', '<meta http-equiv="refresh" content="0; url=/guide/">')
  const { pages, counts } = await compare(first, openMemorySite(files))
  expect(counts).toMatchObject({ added: 1, removed: 2, moved: 0 })
  expect(pages.filter(({ kind }) => kind === 'removed')).toMatchObject([
    { address: '/guide/page-3', redirect: { exists: false, proposal: '/guide/' } },
    { address: '/guide/page-4', redirect: { exists: true, proposal: '/guide/' } },
  ])
})

test('A changed site name in all titles is reported in one line', async () => {
  const { counts, shared } = await compare(first, open({ build: 'second', name: 'Acme Docs' }))
  expect(counts).toEqual(nothing.counts)
  expect(shared).toEqual([
    { part: 'header', sentence: 'The header changed on all 60 pages.' },
    { part: 'header', sentence: 'Titles end with “Acme Docs” instead of “Acme”.' },
  ])
})

test('Anchors changed by a generator’s new rules are reported in one line', async () => {
  const files = generateSite({ pages: 60, build: 'second' })
  for (const [path, content] of files) files.set(path, content.replace('id="more"', 'id="more-1"'))
  const { counts, shared } = await compare(first, openMemorySite(files))
  expect(counts).toEqual(nothing.counts)
  expect(shared).toEqual([{ part: 'theme', sentence: 'The anchors of headings changed on all 60 pages.' }])
})

test('Pages that an unfinished check did not read are counted, but not reported as changed or moved', async () => {
  const earlier = open({ build: 'first' })
  const manifest = await earlier.manifest()
  for (const page of manifest.pages.slice(0, 20))
    Object.assign(page, { textHash: '', signature: '', words: 0, shows: [] })
  expect(await compare(earlier, open({ build: 'second' }))).toEqual({ ...nothing, unread: 20 })
})

test('Pages with equal text are matched by name, and each only once', async () => {
  const stub = (title: string) => `<title>${title}</title><main><p>Coming soon`
  const earlier = openMemorySite(
    new Map([
      ['a/one.html', stub('One')],
      ['a/two.html', stub('Two')],
      ['a/three.html', stub('Three')],
    ]),
  )
  const later = openMemorySite(
    new Map([
      ['b/two.html', stub('Two')],
      ['b/one.html', stub('One')],
    ]),
  )
  const { pages } = await compare(earlier, later)
  expect(pages.map(({ kind, from, address }) => [kind, from, address])).toEqual([
    ['removed', null, '/a/three'],
    ['moved', '/a/one', '/b/one'],
    ['moved', '/a/two', '/b/two'],
  ])
})

test('With the two sites swapped, added pages are removed ones, and moves are reversed', async () => {
  for (const seed of [1, 2, 3]) {
    const choose = (range: number, place: number) => (seed * 7 + place * 11) % range
    const build = (part: number) => ({
      build: `build ${part}`,
      pages: 30,
      without: new Set([choose(30, part)]),
      names: new Map([[choose(30, part + 2), `moved/${part}`]]),
      texts: new Map([[choose(30, part + 4), writeText(900 + part, 200)]]),
    })
    const [a, b] = [open(build(1)), open(build(2))]
    const [forth, back] = [await compare(a, b), await compare(b, a)]
    const { added, removed, changed, moved } = forth.counts
    expect(back.counts).toEqual({ added: removed, removed: added, changed, moved })
    expect(await compare(a, b)).toEqual(forth)
    expect((await compare(a, a)).pages).toEqual([])
  }
})

test('The release note lists new, changed, moved and removed pages, and shows hostile titles as text', async () => {
  const page = (title: string, text = title) => `<title>${title}</title><main><p>${text}`
  const earlier = openMemorySite(
    new Map([
      ['old.html', page('Old', writeText(1, 60))],
      ['gone.html', page('Gone [x](javascript:alert(1)) <b>')],
      ['same.html', page('Same', 'before')],
    ]),
  )
  const later = openMemorySite(
    new Map([
      ['new/old.html', page('Old', writeText(1, 60))],
      ['fresh (1).html', page('*Fresh* `code`\u202e #1 https://evil.example @all')],
      ['same.html', page('Same', 'after')],
    ]),
  )
  const compared = await compare(earlier, later)
  const sides = { earlier: { version: 'v1_0', date: '2026-01-01' }, later: { version: null, date: '2026-02-01' } }
  expect(writeReleaseNote(compared, sides)).toBe(String.raw`# What changed

v1\_0 (2026-01-01) → 2026-02-01

## New pages

- [\*Fresh\* \`code\` \#1 https\://evil.example \@all](/fresh%20%281%29)

## Changed pages

- [Same](/same)

## Moved pages

- [Old](/new/old), before at /old

## Removed pages

- Gone \[x\](javascript:alert(1)) \<b\> (/gone)
`)
  expect(writeReleaseNote(await compare(later, later), sides)).toContain('No page changed.')
})
