import type { Tree } from '@docket/site-bundle/testing/agree/trees'
import fc from 'fast-check'

const words = fc.constantFrom(
  'guide',
  'Guide',
  'a',
  'b',
  'index',
  'INDEX',
  '404',
  'über',
  'u\u0308ber',
  'ﬁ',
  'İ',
  'ß',
  'é',
  'e\u0301',
  '한글',
  '日本',
  '🦆',
  'two words',
  ' a',
  'a ',
  '100%',
  '%41',
  '%2F',
  'what?',
  'x?y=1&z',
  'a#b',
  'a+b',
  'a&b',
  'a;b',
  'a=b',
  'a:b',
  "it's",
  'a"b',
  'a`b',
  '$uri',
  '${uri}',
  '{path}',
  '[slug]',
  '(group)',
  '*',
  ':name',
  '@at',
  '!bang',
  '~tilde',
  'a,b',
  'a|b',
  'a^b',
  '<b>',
  '-',
  '_',
  '..a',
  'a..b',
  'v1.2',
  'node.js',
  'con',
  '.well-known',
  '.hidden',
  'assets',
  'page',
)
const endings = fc.constantFrom(
  '.html',
  '.html',
  '.html',
  '.htm',
  '.xhtml',
  '.HTML',
  '.Htm',
  '',
  '',
  '.css',
  '.js',
  '.json',
  '.md',
  '.tar.gz',
  '.php',
  '.html.html',
  '.x',
)
const letters = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }).map((text) => text.replaceAll('\\', ''))
const isName = (name: string) =>
  name !== '' && !/^\.{1,2}$|^\.(git|docket|DS_Store|_)|[/\\\p{Cc}]/iu.test(name) && name.isWellFormed()
const segment = fc.oneof({ weight: 5, arbitrary: words }, { weight: 1, arbitrary: letters }).filter(isName)
const path = fc
  .tuple(fc.array(segment, { maxLength: 2 }), segment, endings)
  .map(([folders, name, ending]) => [...folders, name + ending].join('/'))
  .filter((text) => Buffer.byteLength(text) < 200)

const status = fc.constantFrom('', '', '301', '302', '303', '307', '308', '200', '404', '410', '301!', '200!', '404!')
const pattern = fc.constantFrom('', '', '', '/*', '/:id', '/:id/:rest', '/:id/*')
const target = fc.constantFrom('/', '/guide/:splat', '/b/:id', '/nowhere', '/404.html', '/a?q=:id#part', '/old/x')
const rule = fc.tuple(fc.array(words, { minLength: 1, maxLength: 2 }), pattern, target, status)

const isFree = (taken: readonly string[], one: string) => {
  const fold = (text: string) => text.normalize('NFC').toLowerCase()
  const name = fold(one)
  return !taken.some((other) => {
    const known = fold(other)
    return known === name || known.startsWith(`${name}/`) || name.startsWith(`${known}/`)
  })
}

const page = (title: string, links: readonly string[]) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>.</title><h1>${encodeURI(title)}</h1>${links
    .map((link) => `<a href="${link}">.</a>`)
    .join('')}</html>`

/** A site with names and rules that somebody could choose, some of them at a path of its own. */
const toTree = ([names, rules, mount]: [string[], [string[], string, string, string][], string]): Tree => {
  const paths = names.reduce<string[]>((taken, one) => (isFree(taken, one) ? [...taken, one] : taken), ['404.html'])
  const encode = (one: string) => one.split('/').map(encodeURIComponent).join('/')
  const links = paths.map((one) => mount + encode(one))
  const lines = rules.map(([from, rest, to, code]) => {
    const words = from.map((one) => one.replaceAll(/[\s#?]/g, '-')).join('/')
    return `/${words}${rest} ${to} ${code}`
  })
  return {
    'index.html': page('Home', links),
    ...Object.fromEntries(paths.map((one) => [one, /\.(css|js|json|md|gz|x)$/.test(one) ? one : page(one, [])])),
    ...(lines.length > 0 && { _redirects: lines.join('\n') }),
  }
}

/** Names of each generated site. */
const namesEach = 20
const seed = 35

/** Sites with so many names in all, the same ones at each call. */
export const generateTrees = (names: number): Tree[] =>
  fc.sample(
    fc
      .tuple(
        fc.uniqueArray(path, { minLength: namesEach, maxLength: namesEach }),
        fc.array(rule, { maxLength: 6 }),
        fc.constantFrom('/', '/', '/manual/'),
      )
      .map(toTree),
    { numRuns: Math.ceil(names / namesEach), seed },
  )
