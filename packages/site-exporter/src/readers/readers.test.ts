import { stripTypeScriptTypes } from 'node:module'
import { expect, test } from 'vitest'
import { readSummary } from '#readers/book/summary.ts'
import { createPageFinder } from '#site/page-paths.ts'
import { matchesIgnoreRules, matchesGlob } from './globs.ts'
import { includeFiles } from './includes.ts'
import { createPieceReader } from './piece-reader.ts'
import { readConfig } from './read-config.ts'
import { readRedirects } from './redirects.ts'

const openReader = (files: Readonly<Record<string, string>>) =>
  createPieceReader({
    explain: () => null,
    read: (file) => Promise.resolve(file in files ? Buffer.from(files[file]!) : null),
  })

/** Reads `config.ts` of the given files, and the lines of the report. */
const readTestConfig = async (files: Readonly<Record<string, string>>) => {
  const leftOut: { file: string; reason: string }[] = []
  const read = (file: string) => Promise.resolve(Object.hasOwn(files, file) ? Buffer.from(files[file]!) : null)
  const data = await readConfig({ read, leftOut }, 'config.ts')
  return { data, lines: leftOut.map(({ file, reason }) => `${file}: ${reason}`) }
}

test('a configuration is evaluated as data, even if it uses names, spreads, calls and functions', async () => {
  const source = `import { defineConfig } from 'vitepress'
    const base: string = '/guide'
    const items = () => [{ text: 'One', link: \`\${base}/one\` }]
    function more() { const last = 'Two'; return [{ text: last, link: base + '/two' }] }
    export default defineConfig({ title: 'Site', ...{ lang: 'en' }, themeConfig: { sidebar: [...items(), ...more()], now: Date.now(), re: /a/ } })`
  const { data, lines } = await readTestConfig({ 'config.ts': source })
  expect(data).toEqual({
    title: 'Site',
    lang: 'en',
    themeConfig: {
      sidebar: [
        { text: 'One', link: '/guide/one' },
        { text: 'Two', link: '/guide/two' },
      ],
      now: undefined,
      re: undefined,
    },
  })
  expect(lines).toEqual([
    'config.ts: themeConfig.now is the result of code, which is not run: a call of Date.now()',
    'config.ts: themeConfig.re is the result of code, which is not run: a regular expression',
  ])
})

test('names of inherited properties count as unknown keys in a configuration', async () => {
  const { data } = await readTestConfig({
    'config.ts': 'const o = { x: 1 }\nexport default { a: o.constructor, b: o.x }',
  })
  expect(data).toEqual({ a: undefined, b: 1 })
})

test.each([
  ['runs something', 'export default (() => { globalThis.wasRun = true; return { a: 1 } })()'],
  ['refers to itself', 'const a = { b: a }\nexport default a'],
  ['calls itself', 'function f() { return f() }\nexport default f()'],
  [
    'doubles itself',
    `const a0 = [1]\n${Array.from({ length: 60 }, (_, i) => `const a${i + 1} = [...a${i}, ...a${i}]`).join('\n')}\nexport default a60`,
  ],
  ['does not parse', 'export default {{{'],
  ['reaches for a prototype', 'export default { a: {}.constructor, b: [].__proto__, __proto__: { c: 1 } }'],
  ['is nested too deep', `export default ${'['.repeat(5_000)}${']'.repeat(5_000)}`],
])('reading a configuration that %s is quick, runs nothing and breaks nothing', async (_, source) => {
  const { data, lines } = await readTestConfig({ 'config.ts': source })
  if (data === null) expect(lines).not.toEqual([])
  // Such a source would break Node's own type stripping for the rest of the process.
  expect(stripTypeScriptTypes('const a: 1 = 1')).toBe('const a    = 1')
  expect('wasRun' in globalThis).toBe(false)
  const json = JSON.stringify(data, (_, value: unknown) => (typeof value === 'function' ? 'a function' : value))
  expect(json ?? '').not.toContain('a function')
  expect(({} as Record<string, unknown>)['c']).toBeUndefined()
})

const summary = `# Summary

[Introduction](README.md)

# Part one

- [Start \`here\`](./start.md "With a title")
  1. [Deeper](start/deep.md#part)
    - [Deepest](start/deepest.md)
- [Not written]()
  - [Its child](child.md)
- [Start again](start.md)
- [Gone](gone.md)
- [Referred][gone]
- [Elsewhere](https://example.com/)

# Part two
`

test('a book follows its summary: each chapter once, drafts as groups, missing files reported, empty parts left out', () => {
  const known = new Set(['index', 'start', 'start/deep', 'start/deepest', 'child'])
  const { nav, titles, missing, leftOut } = readSummary(
    summary,
    'SUMMARY.md',
    '',
    createPageFinder((path) => known.has(path), new Map()),
  )
  const shape = (nodes: typeof nav): unknown[] =>
    nodes.map((node) => (node.kind === 'page' ? node.path : [node.title, ...shape(node.children)]))
  expect(shape(nav)).toEqual([
    'index',
    ['Part one', ['Start here', 'start', ['Deeper', 'start/deep', 'start/deepest']], ['Not written', 'child']],
  ])
  expect(missing).toEqual(['gone.md'])
  expect(leftOut).toEqual([
    { file: 'SUMMARY.md', reason: 'a line of the navigation that is not understood: - [Referred][gone]' },
  ])
  expect(titles.get('start')).toBe('Start here')
})

test.each([
  ['a/b.md', 'a/*.md', true],
  ['a/b/c.md', 'a/*.md', false],
  ['a/b/c.md', 'a/**/*.md', true],
  ['a/c.md', 'a/**/*.md', true],
  ['a/c.md', '**', true],
  ['abc', 'a?c', true],
  ['ac', 'a?c', false],
  ['x.md', '*.mdx', false],
  ['aab', 'a*ab', true],
])('whether the path %s matches the pattern %s is %s', (path, pattern, matched) => {
  expect(matchesGlob(path, pattern)).toBe(matched)
})

test('ignore patterns match paths, folders and names at any depth, and later negations win', () => {
  const patterns = ['drafts/', '/only-here.md', 'secret.md', '!keep/secret.md']
  const files = ['drafts/a.md', 'x/drafts/b.md', 'only-here.md', 'x/only-here.md', 'x/secret.md', 'keep/secret.md']
  expect(files.filter((file) => matchesIgnoreRules(patterns, file))).toEqual([
    'drafts/a.md',
    'x/drafts/b.md',
    'only-here.md',
    'x/secret.md',
  ])
})

test('hostile glob patterns take linear time', () => {
  expect(matchesGlob('a'.repeat(3_000), `${'*a'.repeat(1_500)}b`)).toBe(false)
  expect(matchesIgnoreRules([`${'**/'.repeat(1_500)}b`], 'a/'.repeat(3_000))).toBe(false)
})

test('files are included whole or by lines, region, anchor or heading, and a missing file leaves a readable notice', async () => {
  const reader = openReader({
    'code/a.ts': 'one\n// #region here\ntwo\n// #endregion here\nthree\n',
    'code/b.rs': '// ANCHOR: x\nfn x() {}\n// ANCHOR_END: x\nfn y() {}\n',
    'parts/p.md': '---\ntitle: x\n---\nfirst\n\n## Section\n\ninside <!--@include: ./q.md-->\n\n## Next\n\nlast\n',
    'parts/q.md': 'from q',
    'loop.md': 'again <!--@include: ./loop.md-->',
  })
  const include = (text: string, file = 'page.md') => includeFiles(reader, '', file, text)
  expect(await include('<<< ./code/a.ts#here{1 ts:line-numbers} [Name]')).toBe('`````ts {1} [Name]\ntwo\n`````')
  expect(await include('  <<< @/code/a.ts')).toBe(
    '  `````ts [a.ts]\n  one\n  // #region here\n  two\n  // #endregion here\n  three\n  `````',
  )
  expect(await include('{{#include code/b.rs:x}} {{#rustdoc_include code/b.rs:4}}')).toBe('fn x() {} fn y() {}')
  expect(await include('<!--@include: ./parts/p.md#section-->')).toBe('## Section\n\ninside from q\n')
  expect(await include('<!-- @include: ./parts/p.md{1,1} -->')).toBe('first')
  expect(await include('<<< ../outside.ts\n{{#include none.md}}')).toBe(
    '*../outside.ts is not part of this copy.*\n*none.md is not part of this copy.*',
  )
  expect(await include('<!--@include: ./loop.md-->')).toBe('again *a cycle of includes: loop.md → loop.md.*')
  expect(reader.problems()).toEqual([
    'the include ../outside.ts: there is no such file',
    'the include none.md: there is no such file',
    'a cycle of includes: loop.md → loop.md',
  ])
})

test('folder redirects expand to one per page, exact redirects take precedence, and the rest lead to one target', () => {
  const redirects = readRedirects(
    {
      redirects: [
        { source: '/old/*', destination: '/new/*' },
        { source: '/old/a', destination: '/special' },
        { source: '/posts/:slug', destination: '/blog/:slug' },
        { source: '/gone/:slug*', destination: '/' },
        { source: '/*', destination: '/index' },
        { source: '/a/*/b', destination: '/c' },
        { source: 5 },
      ],
    },
    ['new/a', 'new/deep/b', 'blog/x', 'blog/deep/y', 'other'],
  )
  expect(Object.fromEntries(redirects)).toEqual({
    'old/a': '/special',
    'old/deep/b': '/new/deep/b',
    'posts/x': '/blog/x',
    'gone/*': '/',
  })
})

test('one import that cannot be read leaves the rest of a configuration readable, and is named', async () => {
  const { data, lines } = await readTestConfig({
    'config.ts': `import '../declarations'
      import './declarations.d.ts'
      import type { A } from './types'
      import { files } from './files'
      import broken from './broken'
      import gone from './gone'
      import * as all from './all.js'
      import json from './data.json'
      import './style.css'
      export default { title: 'Kept', files, broken, gone: gone ?? 1, all, json, base: process.env.BASE }`,
    'files.ts': `export * from 'node:fs/promises'\nexport const files = ['a']`,
    'broken.ts': `const a = 1\nexport default {{`,
    'all.ts': `export * as inner from './files'\nexport const nav = [1]`,
    'data.json': `{ "a": 1, // with a comment\n }`,
  })
  expect(data).toEqual({
    title: 'Kept',
    files: ['a'],
    gone: 1,
    all: { inner: { files: ['a'] }, nav: [1] },
    json: { a: 1 },
  })
  expect(lines).toEqual([
    'config.ts: it imports ../declarations, which is no file of the source, or too large',
    'config.ts: it imports ./gone, which is no file of the source, or too large',
    'broken.ts: the configuration could not be read: Unexpected token, line 2',
    'config.ts: broken is the result of code, which is not run: the name broken',
    'config.ts: base is the result of code, which is not run: process.env.BASE',
  ])
})

test('CommonJS configurations and their modules are read', async () => {
  const { data } = await readTestConfig({
    'config.ts': `const { items, title } = require('./parts')
      if (process.env.CI) module.exports = {}
      module.exports = { title, items, other: require('./other'), css: require.resolve('./a.css'), year: '© ' + new Date().getFullYear() }`,
    'parts.js': `exports.items = ['a']\nmodule.exports.title = 'T'`,
    'other.cjs': `module.exports = { a: 1 }`,
  })
  expect(data).toEqual({ title: 'T', items: ['a'], other: { a: 1 }, css: './a.css', year: '© ' })
})
