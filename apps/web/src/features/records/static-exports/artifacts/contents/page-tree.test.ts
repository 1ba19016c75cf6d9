import { expect, test } from 'vitest'
import { buildPageTree, type ArtifactPage, type PageFolder } from './page-tree.ts'

const page = (address: string, leaks = 0): ArtifactPage => ({
  address,
  path: `${address}index.html`,
  title: address,
  sizeBytes: 1,
  findings: { breaks: 0, leaks, notes: 0 },
  change: leaks > 0 ? 'changed' : null,
})
const print = (folder: PageFolder): unknown => [
  folder.page?.address ?? null,
  ...folder.folders.map(print),
  ...folder.pages.map(({ address }) => address),
]

test('pages are grouped in folders by address, and a page with pages below it heads its folder', () => {
  const root = buildPageTree(['/', '/a/', '/a/b.html', '/a/c/', '/d', '/e/f/index.html'].map((one) => page(one)))
  expect(print(root)).toEqual(['/', ['/a/', '/a/b.html', '/a/c/'], [null, '/e/f/index.html'], '/d'])
  expect(root.count).toBe(6)
  expect(root.folders[0]!.count).toBe(3)
})

test('two files at one address are listed as two pages', () => {
  const root = buildPageTree([page('/a'), page('/a/'), page('/a/index.html')])
  expect(print(root)).toEqual([null, ['/a', '/a/', '/a/index.html']])
})

test('a folder counts findings and changes at any depth', () => {
  const { findings, changes } = buildPageTree([page('/a/b/c', 2), page('/a/d', 1), page('/e')]).folders[0]!
  expect(findings.leaks).toBe(3)
  expect(changes).toBe(2)
})

test('pages named like inherited object properties are listed like any other', () => {
  expect(print(buildPageTree([page('/__proto__/x'), page('/constructor')]))).toEqual([
    null,
    [null, '/__proto__/x'],
    '/constructor',
  ])
})
