import { expect, test } from 'vitest'
import { comparePageInWorker, compareSitesInWorker } from '#comparison/worker/compare-in-worker.ts'
import { generateSite, writeText } from '#comparison/testing/generated-site.ts'
import { openMemorySite } from '#comparison/testing/memory-site.ts'
import { compareBlocks, type BlockChange } from './compare-blocks.ts'
import { comparePageText } from './compare-page.ts'

const { signal } = new AbortController()
const toBlocks = (texts: readonly string[]) => texts.map((text) => ({ element: 'p', text }))
const openPage = (html: string) => {
  const site = openMemorySite(new Map([['page.html', html]]))
  return { site, page: { path: 'page.html', sizeBytes: Buffer.byteLength(html) } }
}
const comparePages = (earlier: string, later: string) => comparePageText(openPage(earlier), openPage(later), signal)
const side = (blocks: readonly BlockChange[], kind: 'added' | 'removed') =>
  blocks.flatMap(({ runs }) => {
    const text = runs.flatMap((run) => (run.kind === 'same' || run.kind === kind ? [run.text] : [])).join('')
    return runs.some((run) => run.kind !== (kind === 'added' ? 'removed' : 'added')) ? [text] : []
  })

test('Words are compared within their block, and blocks without a change are cut to their neighbours', async () => {
  const page = (word: string, item: string) =>
    `<main><h1>Title</h1><p>One</p><p>Two</p><p>It takes ${word} to start.</p><ul><li>Item</li>${item}</ul><pre>a\n  b</pre></main>`
  const { blocks, isCut } = await comparePages(page('ten minutes', ''), page('an hour', '<li>New item</li>'))
  expect(isCut).toBe(false)
  expect(blocks).toEqual([
    { element: 'p', runs: [{ kind: 'same', text: '…' }] },
    { element: 'p', runs: [{ kind: 'same', text: 'Two' }] },
    {
      element: 'p',
      runs: [
        { kind: 'same', text: 'It takes ' },
        { kind: 'removed', text: 'ten minutes' },
        { kind: 'added', text: 'an hour' },
        { kind: 'same', text: ' to start.' },
      ],
    },
    { element: 'li', runs: [{ kind: 'same', text: 'Item' }] },
    { element: 'li', runs: [{ kind: 'added', text: 'New item' }] },
    { element: 'pre', runs: [{ kind: 'same', text: 'a' }] },
    { element: 'p', runs: [{ kind: 'same', text: '…' }] },
  ])
})

test('Both texts can be rebuilt from the runs of their comparison', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const choose = (range: number, place: number) => (seed * 31 + place * 17 + seed * place) % range
    const earlier = Array.from({ length: choose(12, 1) }, (_, at) => writeText(choose(9, at), 1 + choose(14, at)))
    const later = earlier.flatMap(
      (text, at) =>
        [[text], [], [text.replace(/\w+/, `word ${at}`)], [text, writeText(seed + at, 5)]][choose(4, at + 3)]!,
    )
    const { blocks, isCut } = compareBlocks(toBlocks(earlier), toBlocks(later))
    expect(isCut).toBe(false)
    expect([side(blocks, 'removed'), side(blocks, 'added')]).toEqual([earlier, later])
  }
})

test('In scripts without spaces, words are compared one by one', async () => {
  const { blocks } = await comparePages('<main><p>我们喜欢文档</p></main>', '<main><p>我们喜爱文档</p></main>')
  expect(blocks[0]?.runs.map(({ text }) => text)).toEqual(['我们喜', '欢', '爱', '文档'])
})

test('The comparison of two long, entirely different pages is cut, in bounded time and size', async () => {
  const page = (seed: number) =>
    `<main>${Array.from({ length: 9_000 }, (_, at) => `<p>${writeText(seed * 10_000 + at, 12)}</p>`).join('')}</main>`
  const { blocks, isCut } = await comparePages(page(1), page(2))
  expect(isCut).toBe(true)
  expect(blocks.length).toBeLessThanOrEqual(2_000)
  const oneBlock = (seed: number) =>
    `<main><p>${Array.from({ length: 50_000 }, (_, at) => `w${at}x${seed}`).join(' ')}</p></main>`
  expect((await comparePages(oneBlock(1), oneBlock(2))).isCut).toBe(true)
})

test('A worker thread compares like the main thread, and ends when no comparison is waiting', async () => {
  const sites = {
    earlier: openMemorySite(generateSite({ pages: 3, build: 'first' })),
    later: openMemorySite(generateSite({ pages: 3, build: 'second', texts: new Map([[1, 'A short text.']]) })),
  }
  const compared = await compareSitesInWorker(sites, signal)
  expect(compared.pages).toMatchObject([
    { kind: 'changed', address: '/guide/page-1', words: { added: 3, removed: 240 } },
  ])
  const paths = { earlier: null, later: 'guide/page-1.html' }
  const { blocks } = await comparePageInWorker(sites, paths, signal)
  expect(blocks.every(({ runs }) => runs.every(({ kind }) => kind === 'added'))).toBe(true)
  const unreadable = { ...sites.later, read: () => Promise.reject(new Error('The store does not answer.')) }
  await expect(compareSitesInWorker({ ...sites, later: unreadable }, signal)).rejects.toThrow(
    'The store does not answer.',
  )
  const silent = { ...sites.later, manifest: () => new Promise<never>(() => undefined) }
  const waiting = new AbortController()
  const hanging = compareSitesInWorker({ ...sites, later: silent }, waiting.signal)
  waiting.abort(new Error('nobody waits'))
  await expect(hanging).rejects.toThrow('nobody waits')
})
