import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { gitIn } from '@docket/sources/git/git'
import { writeFolder, temporaryFolder } from '@docket/sources/testing/files'
import { expect, test } from 'vitest'
import { runOrder } from '#recipes/recipes.ts'
import { formatOutcome } from '#recipes/recipe.ts'

/** A checkout, and the lines that a move reports about it. */
const createCheckout = async (files: Readonly<Record<string, string>>, folder = '') => {
  const checkout = await writeFolder(files)
  const work = { checkout, folder, git: gitIn(checkout), commit: 'HEAD' }
  const run = async (from: string, to: string) => formatOutcome(await runOrder({ action: 'move', from, to }, work))
  const readText = (file: string) => readFileSync(join(checkout, file), 'utf8')
  return { checkout, run, readText, has: (file: string) => existsSync(join(checkout, file)) }
}

const docsJson = `{
\t"name": "Handbook",
\t"navigation": {
\t\t"tabs": [
\t\t\t{ "tab": "Guide", "groups": [{ "group": "A", "root": "guide/old", "pages": ["index", "guide/old", "/guide/near.mdx"] }] }
\t\t]
\t},
\t"navbar": { "links": [{ "label": "guide/old", "href": "/guide/old?x=1#y" }, { "href": "https://example.com/guide/old" }] },
\t"redirects": [
\t\t{
\t\t\t"source": "/start",
\t\t\t"destination": "/guide/old"
\t\t}
\t]
}
`

const site = {
  'docs.json': docsJson,
  'index.mdx': [
    '[a](./guide/old.mdx#part) [b](/guide/old) ![c](guide/pic.png) <Card href="/guide/old" /> [d](https://example.com/guide/old)',
    '[e][r] `[f](guide/old)` [g](guide/older) [h](guide/)',
    '',
    '[r]: guide/old "T"',
    '',
  ].join('\n'),
  'guide/old.mdx':
    '# Old\n\n[a](./near.mdx) ![b](pic.png) [c](#part) [d](/index) [e](../index.mdx?q) [f](nowhere.md) [self](old.mdx) [folder](../guide/)\n',
  'guide/near.mdx': '[a](./old) [b](near.mdx)\n',
  'guide/older.mdx': '# Older\n',
  'guide/pic.png': 'x',
  'SUMMARY.md': '- [Old](guide/old.mdx)\n',
  'mkdocs-like.yml': 'nav: guide/old.mdx\n',
}

test('moving a page updates all links to and from it and the navigation, adds a redirect, and changes nothing else', async () => {
  const { run, readText, has } = await createCheckout(site)
  const report = await run('guide/old', 'reference/deep/new')
  expect(has('guide/old.mdx')).toBe(false)
  expect(readText('reference/deep/new.mdx')).toBe(
    '# Old\n\n[a](../../guide/near.mdx) ![b](../../guide/pic.png) [c](#part) [d](/index) [e](../../index.mdx?q) [f](nowhere.md) [self](new.mdx) [folder](../../guide/)\n',
  )
  expect(readText('index.mdx')).toBe(
    site['index.mdx']
      .replace('./guide/old.mdx#part', './reference/deep/new.mdx#part')
      .replaceAll('"/guide/old"', '"/reference/deep/new"')
      .replace('(/guide/old)', '(/reference/deep/new)')
      .replace('[r]: guide/old', '[r]: reference/deep/new'),
  )
  expect(readText('guide/near.mdx')).toBe('[a](../reference/deep/new) [b](near.mdx)\n')
  expect(readText('SUMMARY.md')).toBe('- [Old](reference/deep/new.mdx)\n')
  expect(readText('docs.json')).toBe(
    docsJson
      .replaceAll('"guide/old",', '"reference/deep/new",')
      .replace('"label": "reference/deep/new"', '"label": "guide/old"')
      .replace('/guide/old?x=1#y', '/reference/deep/new?x=1#y')
      .replace(
        '"/guide/old"\n\t\t}\n',
        '"/reference/deep/new"\n\t\t},\n\t\t{\n\t\t\t"source": "/guide/old",\n\t\t\t"destination": "/reference/deep/new"\n\t\t}\n',
      ),
  )
  expect(report[0]).toBe(
    'Moved guide/old.mdx to reference/deep/new.mdx and changed 16 places in 5 files. Navigation: 4 in docs.json, a redirect from /guide/old in docs.json.',
  )
  expect(report).toContain('guide/old.mdx:3 nowhere.md — led nowhere before')
  expect(report.filter((line) => line.endsWith('still names the old place'))).toEqual([
    'index.mdx — still names the old place',
    'mkdocs-like.yml — still names the old place',
  ])
  expect(await run('guide/old', 'reference/deep/new')).toEqual([
    'There is no page “guide/old”, and reference/deep/new.mdx is there: nothing to move.',
  ])
  // Back again: the redirect turns round instead of leading in a circle.
  await run('reference/deep/new', 'guide/old')
  expect(readText('guide/old.mdx')).toBe(
    site['guide/old.mdx'].replace('./near.mdx', 'near.mdx').replace('../guide/', './'),
  )
  const { redirects } = JSON.parse(readText('docs.json')) as { redirects: object[] }
  expect(redirects).toEqual([
    { source: '/start', destination: '/guide/old' },
    { source: '/reference/deep/new', destination: '/guide/old' },
  ])
})

test.each([
  [
    '{"navigation":{"pages":["a","b"]}}',
    '{"navigation":{"pages":["c/d","b"]},"redirects":[{"source":"/a","destination":"/c/d"}]}',
  ],
  [
    '{\n  "pages": "a",\n  "redirects": []\n}\n',
    '{\n  "pages": "a",\n  "redirects": [\n    { "source": "/a", "destination": "/c/d" }\n  ]\n}\n',
  ],
  [
    '{\n  "navigation": []\n}\n',
    '{\n  "navigation": [],\n  "redirects": [\n    { "source": "/a", "destination": "/c/d" }\n  ]\n}\n',
  ],
])('a redirect is added in the style of its file: %j', async (before, after) => {
  const { run, readText } = await createCheckout({ 'docs.json': before, 'a.md': 'a', 'b.md': 'b' })
  await run('a.md', 'c/d.md')
  expect(readText('docs.json')).toBe(after)
})

test.each<[string, [string, string], string]>([
  ['a page that is not there', ['nobody', 'x'], 'There is no page “nobody”'],
  ['a place that is taken', ['a', 'B'], 'There is b.mdx already'],
  ['a place outside', ['a', '../x'], 'is no name for a page'],
  ['a hidden place', ['a', '.git/x'], 'is no name for a page'],
  ['a place behind a symlink', ['a', 'out/x'], 'would be outside of a folder'],
  ['a place in a file', ['a', 'pic.png/x'], 'is a file'],
  ['another ending', ['a', 'x.mdx'], 'stays one'],
  ['two pages of a name', ['two', 'x'], 'may be two.md or two.mdx'],
  ['a page that takes content in', ['b', 'x/b'], 'takes in ./part.mdx'],
  ['content that is taken in', ['part', 'x/part'], 'b.mdx takes in part.mdx'],
  ['an MDX page that does not parse', ['broken', 'x'], 'does not parse'],
  ['a pattern of redirects in the way', ['a', 'old/x'], 'The redirect from /old/:slug*'],
])('%s is refused with a sentence, and nothing is moved', async (_, move, sentence) => {
  const { run, checkout, has } = await createCheckout({
    'docs.json': '{"redirects":[{"source":"/old/:slug*","destination":"/"}]}',
    'a.md': '# A\n',
    'b.mdx': "import Part from './part.mdx'\n\n<Part />\n",
    'part.mdx': 'Part.\n',
    'two.md': '',
    'two.mdx': '',
    'broken.mdx': '<Open\n',
    'pic.png': 'x',
  })
  const outside = await temporaryFolder()
  await symlink(outside, join(checkout, 'out'))
  await expect(run(...move)).rejects.toThrow(sentence)
  expect(has('a.md') && has('b.mdx') && has('part.mdx') && has('broken.mdx')).toBe(true)
  expect(execFileSync('ls', ['-A', outside], { encoding: 'utf8' })).toBe('')
})

test('a move stays within the project’s folder, and pages outside it are named and not changed', async () => {
  const { run, readText } = await createCheckout(
    { 'docs/a.md': '# A\n', 'docs/b.md': '[a](a.md)\n', 'README.md': '[a](docs/a.md)\n' },
    'docs',
  )
  const report = await run('a', 'c/d')
  expect(readText('docs/c/d.md')).toBe('# A\n')
  expect(readText('docs/b.md')).toBe('[a](c/d.md)\n')
  expect(readText('README.md')).toBe('[a](docs/a.md)\n')
  expect(report).toContain('README.md — still names the old place')
})

test('an ambiguous link is reported and not changed', async () => {
  const files = { 'guide/a.md': '[x](../b)\n', 'guide/b.md': '# B\n', 'b.md': '# Other B\n' }
  const { run, readText } = await createCheckout(files)
  const report = await run('guide/a', 'deep/er/a')
  expect(readText('deep/er/a.md')).toBe('[x](../b)\n')
  expect(report).toContain('guide/a.md:1 ../b — tools understand it in different ways')
})

test('moving a folder’s index page updates links and redirects by the folder’s address', async () => {
  const { run, readText } = await createCheckout({
    'docs.json': '{"navigation":{"pages":["guide","guide/a"]}}',
    'guide/index.md': '[a](a.md) [root](../x.md)\n',
    'guide/a.md': '[up](../guide/) [named](index.md) [out](/guide)\n',
    'x.md': '[g](guide/) [h](guide)\n',
  })
  await run('guide/index.md', 'manual/index.md')
  expect(readText('manual/index.md')).toBe('[a](../guide/a.md) [root](../x.md)\n')
  expect(readText('guide/a.md')).toBe('[up](../manual/) [named](../manual/index.md) [out](/manual)\n')
  expect(readText('x.md')).toBe('[g](manual/) [h](manual)\n')
  expect(JSON.parse(readText('docs.json'))).toEqual({
    navigation: { pages: ['manual', 'guide/a'] },
    redirects: [{ source: '/guide', destination: '/manual' }],
  })
})

test('a page name is not used as a pattern, so a file that mentions a similar name is not reported', async () => {
  const { run } = await createCheckout({
    'guide/c++.v1.mdx': '# C++\n',
    'named.yml': 'page: guide/c++.v1\n',
    'similar.yml': 'page: guide/c++-v1\n',
  })
  const report = await run('guide/c++.v1', 'guide/cpp')
  expect(report.filter((line) => line.endsWith('the old place'))).toEqual(['named.yml — still names the old place'])
})
