import { expect, test } from 'vitest'
import { plainBrand } from '#site/brand.ts'
import type { NavNode } from '#site/source-page.ts'
import { listMissingNavIcons } from './nav-icons.ts'
import { createNavigation } from './navigation.ts'

const english = { language: { lang: 'en', dir: null }, languages: new Map() }
const listLinks = (html: string) => [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)

test('in a folder of thousands of pages, each page lists only its neighbours and links to more at both ends', () => {
  const nav = Array.from({ length: 3_000 }, (_, index): NavNode => ({ kind: 'page', path: `p${index}` }))
  const navigation = createNavigation(
    { nav, pages: new Map(), operations: new Map(), brand: plainBrand, ...english },
    () => null,
  )
  const middle = listLinks(navigation('p1500').sidebar.html)
  expect(middle).toHaveLength(602)
  expect(middle).toContain('p1500.html')
  expect([middle[0], middle.at(-1)]).toEqual(['p1199.html', 'p1800.html'])
  expect(listLinks(navigation('p0').sidebar.html).at(-1)).toBe('p600.html')
  expect(listLinks(navigation('p2999').sidebar.html)[0]).toBe('p2399.html')
})

test('groups and pages show their icons in navigation links and in titles', () => {
  const page = (path: string, icon: string | null) => [path, { path, title: path, icon }] as const
  const pages = new Map([page('a', 'rocket'), page('b', null), page('c', 'no-such')]) as never
  const groups = ['a', 'b'].map((path): NavNode => ({
    kind: 'group',
    title: `About ${path}`,
    isTab: false,
    icon: 'flag',
    children: [{ kind: 'page', path }],
  }))
  const site = { ...english, nav: groups, pages, operations: new Map(), icons: 'lucide' as const, brand: plainBrand }
  const { sidebar, next } = createNavigation(site, () => null)('a')
  expect(sidebar.html.match(/<span><span class="icon ic-lucide--flag" aria-hidden="true"><\/span>About/g)).toHaveLength(
    2,
  )
  expect(sidebar.html).toContain(
    'aria-current="page"><span class="icon ic-lucide--rocket" aria-hidden="true"></span>a</a>',
  )
  expect(next!.html).toMatch(/>b<\/a>$/)
  expect(listMissingNavIcons(site)).toEqual(['the icon “no-such”: no kept set has it'])
})

test.each(['language', 'version'] as const)('reading on does not lead into another %s', (facet) => {
  const group = (title: string, ...paths: string[]): NavNode => ({
    kind: 'group',
    title,
    isTab: true,
    facet,
    children: paths.map((path) => ({ kind: 'page', path })),
  })
  const nav = [group('One', 'a', 'b'), group('Two', 'c', 'd')]
  const navigation = createNavigation(
    { nav, pages: new Map(), operations: new Map(), brand: plainBrand, ...english },
    () => null,
  )
  const neighbours = ['a', 'b', 'c', 'd'].map((path) => {
    const { previous, next } = navigation(path)
    return [previous, next].flatMap((link) => (link === null ? [] : listLinks(link.html)))
  })
  expect(neighbours).toEqual([['b.html'], ['a.html'], ['d.html'], ['c.html']])
})
