import { expect, test } from 'vitest'
import { openMemorySite } from '#comparison/testing/memory-site.ts'
import { compareSites } from './compare-sites.ts'
import { comparePageText } from './words/compare-page.ts'

const { signal } = new AbortController()
const stable = '<p>A longer text that stays as it is, so that both are the same page.</p>'
const write = (body: string, head = '') =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8">${head}<title>T</title></head><body><h1>T</h1>${stable}${body}</body></html>`
const describe = (text: string) => write('', `<meta name="description" content="${text}">`)
const open = (html: string) => openMemorySite(new Map([['page.html', html]]))

test.for([
  ['struck words', write('<p>Do <del>not</del> run it</p>'), write('<p>Do not run it</p>')],
  ['which word is struck', write('<p><s>one</s> two</p>'), write('<p>one <s>two</s></p>')],
  ['inserted words', write('<p>Do <ins>not</ins> run it</p>'), write('<p>Do not run it</p>')],
  ['an exponent', write('<p>10<sup>5</sup></p>'), write('<p>105</p>')],
  ['a hidden paragraph', write('<p style="color:red">x</p>'), write('<p style="color:red; display: none">x</p>')],
  ['the attribute hidden', write('<p>x</p>'), write('<p hidden>x</p>')],
  ['the description', describe('old'), describe('new')],
  ['a new description', write(''), describe('new')],
  ['where a list begins', write('<ol start="1"><li>x</li></ol>'), write('<ol start="5"><li>x</li></ol>')],
  ['a reversed list', write('<ol><li>x</li></ol>'), write('<ol reversed><li>x</li></ol>')],
  ['the number of an item', write('<ol><li>x</li></ol>'), write('<ol><li value="3">x</li></ol>')],
  ['a checked box', write('<input type="checkbox">'), write('<input type="checkbox" checked>')],
  ['a placeholder', write('<input placeholder="Old">'), write('<input placeholder="New">')],
  ['the value of a field', write('<input value="1">'), write('<input value="2">')],
  ['a disabled button', write('<button>Go</button>'), write('<button disabled>Go</button>')],
  ['the title of a button', write('<button title="Old">Go</button>'), write('<button title="New">Go</button>')],
  ['the title of an abbreviation', write('<abbr title="Old">x</abbr>'), write('<abbr title="New">x</abbr>')],
  [
    'the chosen option',
    write('<select><option selected>a<option>b</select>'),
    write('<select><option>a<option selected>b</select>'),
  ],
  [
    'open details',
    write('<details><summary>x</summary></details>'),
    write('<details open><summary>x</summary></details>'),
  ],
] as const)('a page changes with %s, and the words show it', async ([, earlier, later]) => {
  const { counts, pages } = await compareSites(open(earlier), open(later), signal)
  expect(counts).toEqual({ added: 0, removed: 0, changed: 1, moved: 0 })
  expect(pages[0]).toMatchObject({ address: '/page', parts: ['text'] })
  expect(Object.values(pages[0]!.words!).some((count) => count > 0)).toBe(true)
  const toPage = (html: string) => ({ site: open(html), page: { path: 'page.html', sizeBytes: html.length } })
  const { blocks } = await comparePageText(toPage(earlier), toPage(later), signal)
  expect(blocks.some(({ runs }) => runs.some(({ kind }) => kind !== 'same'))).toBe(true)
})

test.for([
  [
    'identifiers',
    write('<button id="radix-:r1:" title="Go">x</button>'),
    write('<button id="radix-:r7:" title="Go">x</button>'),
  ],
  ['a token of a form', write('<input type="hidden" value="a1">'), write('<input type="hidden" value="b2">')],
  ['a date of the build', write('<p title="Built 2026-11-28">x</p>'), write('<p title="Built 2026-11-29">x</p>')],
  ['spaces around a struck word', write('<p>Do  <del>not</del></p>'), write('<p>Do\n <del>not</del></p>')],
  ['another element for the same', write('<p><s>x</s></p>'), write('<p><del>x</del></p>')],
  ['a list that begins at 1', write('<ol><li>x</li></ol>'), write('<ol start="1"><li>x</li></ol>')],
] as const)('a page does not change with %s', async ([, earlier, later]) => {
  expect((await compareSites(open(earlier), open(later), signal)).counts.changed).toBe(0)
})

test('compared with a manifest of 1.0.0, pages with the same text are the same', async () => {
  const [before, after] = [open(write('')), open(describe('new'))]
  const manifest = await before.manifest()
  const old = manifest.pages.map(({ details: _, ...page }) => page)
  const earlier = { ...before, manifest: async () => ({ ...manifest, pages: old }) }
  expect((await compareSites(earlier, after, signal)).counts.changed).toBe(0)
  expect((await compareSites(after, earlier, signal)).counts.changed).toBe(0)
})

test('a title that a new version of a theme changes on every page is one line', async () => {
  const build = (title: string) =>
    openMemorySite(
      new Map(
        Array.from({ length: 12 }, (_, at) => [
          `p${at}.html`,
          write(`<p>Page ${at}</p><button title="${title}">x</button>`),
        ]),
      ),
    )
  const { counts, shared } = await compareSites(build('Copy'), build('Copy the code'), signal)
  expect(counts.changed).toBe(0)
  expect(shared.map(({ sentence }) => sentence)).toEqual([
    'Descriptions or states of elements changed on all 12 pages.',
  ])
})
