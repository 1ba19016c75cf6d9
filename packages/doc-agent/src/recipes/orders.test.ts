import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gitIn } from '@docket/sources/git/git'
import { bareRepository } from '@docket/sources/testing/git-server'
import { temporaryFolder, writeFolder } from '@docket/sources/testing/files'
import { expect, test } from 'vitest'
import { describeOrder, type MaintenanceOrder } from './order.ts'
import { runOrder } from './recipes.ts'

/** A checkout, and what an order does to it. */
const createCheckout = async (files: Readonly<Record<string, string>>, folder = '') => {
  const checkout = await writeFolder(files)
  const gitDir = await bareRepository(join(await temporaryFolder(), 'x.git'), files)
  const run = (order: MaintenanceOrder) => runOrder(order, { checkout, folder, git: gitIn(gitDir), commit: 'main' })
  return { checkout, run, readText: (file: string) => readFileSync(join(checkout, file), 'utf8') }
}

const replace = (find: string, replacement: string, more: object = {}): MaintenanceOrder => ({
  action: 'replace',
  find,
  replacement,
  wholeWords: false,
  matchCase: false,
  includeCode: false,
  ...more,
})

test('Vue bindings are not links, and a code sample does not stop the check of fragments', async () => {
  const { run } = await createCheckout({
    'a.md': [
      '# A',
      '<a :href="gone">x</a> <a v-bind:href="gone">x</a> <img :src="gone" /> <a href="really-gone">x</a>',
      '```js',
      "import { x } from './x.js'",
      '```',
      '',
    ].join('\n'),
    'b.mdx': '[a](a.md#metods) [c](c.mdx#inside)\n',
    'c.mdx': "import Part from './part.mdx'\n\n<Part />\n",
    'part.mdx': '## Inside\n',
  })
  const { summary, findings } = await run({ action: 'fix_links' })
  expect(summary).toBe('No link to fix. 2 broken links left for a person. Checked 3 links.')
  expect(findings.shown).toEqual([
    'a.md:2 really-gone — there is no such file',
    'b.mdx:1 a.md#metods — a.md has no such heading',
  ])
})

const config = `import { defineConfig } from 'vitepress'
const where: string = '/computed'
export default defineConfig({
  srcDir: 'src',
  themeConfig: {
    nav: [{ text: 'Über', link: "/guide/old" }, { text: 'Out', link: 'https://example.com/guide/old' }],
    sidebar: { '/guide/': { base: '/guide/', items: [{ text: 'Old', link: 'old#part' }, { text: 'X', link: where }, { text: 'Gone', link: '/guide/GONE' }] } },
  },
} as const)
`

test('literal links in a VitePress configuration are checked and moved, and computed ones are reported', async () => {
  const files = { '.vitepress/config.mts': config, 'src/guide/old.md': '# Old\n', 'src/guide/gone.md': '# Gone\n' }
  const { run, readText } = await createCheckout({ ...files, 'src/index.md': '[old](/guide/old) [no](/guide/no)\n' })
  const checked = await run({ action: 'fix_links' })
  expect(checked.findings.shown).toEqual(['src/index.md:1 /guide/no — there is no such file'])
  expect(readText('.vitepress/config.mts')).toBe(config.replace('/guide/GONE', '/guide/gone'))
  const moved = await run({ action: 'move', from: 'src/guide/old.md', to: 'src/guide/new.md' })
  expect(readText('.vitepress/config.mts')).toBe(
    config
      .replace('/guide/GONE', '/guide/gone')
      .replace('"/guide/old"', '"/guide/new"')
      .replace('old#part', 'new#part'),
  )
  expect(readText('src/index.md')).toContain('[old](/guide/new)')
  expect(moved.findings.shown).toEqual([
    '.vitepress/config.mts — 1 of its links are computed and stay as they are',
    'No redirect was made: VitePress has none. Let your web server lead /guide/old on',
    '.vitepress/config.mts — still names the old place',
  ])
})

test('references in a docs.json are followed, and the file that holds the entry or the redirects is changed', async () => {
  const { run, readText } = await createCheckout({
    'docs.json': '{"navigation":{"$ref":"./config/nav.json"},"redirects":{"$ref":"./config/redirects.json"}}\n',
    'config/nav.json':
      '{"groups":[{"group":"A","pages":["index","guide/old","guide/Case","gone"]},{"openapi":"x.yml","pages":["GET /x","made"]}]}\n',
    'config/redirects.json': '[{"source":"/was/:page","destination":"/index"}]\n',
    'index.mdx': '[x](/was/here) [y](/guide/old)\n',
    'guide/old.mdx': '# Old\n',
    'guide/case.mdx': '# Case\n',
  })
  expect((await run({ action: 'fix_links' })).findings.shown).toEqual([
    'config/nav.json:1 gone — there is no such file',
  ])
  expect(readText('config/nav.json')).toContain('"guide/case"')
  await run({ action: 'move', from: 'guide/old', to: 'guide/new' })
  expect(readText('config/nav.json')).toContain('["index","guide/new","guide/case","gone"]')
  expect(readText('config/redirects.json')).toBe(
    '[{"source":"/was/:page","destination":"/index"},{"source":"/guide/old","destination":"/guide/new"}]\n',
  )
  expect(readText('docs.json')).toContain('{"$ref":"./config/redirects.json"}')
})

test('a replacement respects quotes, whole words and case, and skips code, addresses and front matter', async () => {
  const text = '---\ntitle: cat\n---\nCat “cat” concat [cat](cat.md) `cat` <b title="cat">cat</b>\n\n```\ncat\n```\n'
  const { run, readText } = await createCheckout({ 'a.md': text })
  const first = await run(replace('“cat”', `'dog' "$&"`, { matchCase: true }))
  expect(first.changes.shown).toEqual([`a.md:4 “cat” → 'dog' "$&"`])
  const second = await run(replace('cat', 'dog', { wholeWords: true }))
  expect(second.summary).toBe(
    'Replaced “cat” with “dog” 3 times in 1 page. 5 occurrences in code or addresses left alone.',
  )
  expect(readText('a.md')).toContain(`dog 'dog' "$&" concat [dog](cat.md) \`cat\` <b title="cat">dog</b>`)
  expect((await run(replace('cat', 'dog', { includeCode: true }))).changes.count).toBe(6)
  expect(readText('a.md')).not.toContain('cat')
})

test('an order respects its folder, pages and limit, and an unknown folder or page is refused', async () => {
  const pages = Object.fromEntries(['a', 'b', 'c'].map((name) => [`docs/in/${name}.md`, 'cat\n']))
  const { run, readText } = await createCheckout({ ...pages, 'docs/d.md': 'cat\n', 'e.md': 'cat\n' }, 'docs')
  const limited = await run(replace('cat', 'dog', { folder: 'in', limit: 2 }))
  expect(limited).toMatchObject({ files: 2, notes: ['Stopped at the limit of 2: 1 more would change.'] })
  expect((await run(replace('cat', 'dog', { pages: ['/in/c', 'docs/d.md'] }))).files).toBe(2)
  expect(readText('e.md')).toBe('cat\n')
  await expect(run(replace('cat', 'dog', { folder: '../x' }))).rejects.toThrow('There is no folder “../x”')
  await expect(run(replace('cat', 'dog', { pages: ['nobody'] }))).rejects.toThrow('There is no page “nobody”')
})

test('an order works even if a file’s name is not UTF-8', async () => {
  const { run, checkout } = await createCheckout({ 'a.md': 'cat\n' })
  await writeFile(Buffer.concat([Buffer.from(`${checkout}/`), Buffer.from('caf\xe9.md', 'latin1')]), 'cat\n')
  expect((await run(replace('cat', 'dog'))).files).toBe(1)
  expect((await run({ action: 'fix_links' })).files).toBe(0)
})

test('the description of an order mentions every field', () => {
  const order = replace('a\n"b"', '', {
    wholeWords: true,
    includeCode: true,
    pages: ['x', 'y'],
    folder: 'docs',
    limit: 1,
  })
  expect(describeOrder(order)).toBe('Remove “a "b"” (whole words, also in code) on x, y in docs, at most 1 page')
  expect(describeOrder({ action: 'move', from: 'a', to: 'b' })).toBe('Move a to b')
  expect(describeOrder({ action: 'fix_links', folder: 'docs/guide' })).toBe('Fix links in docs/guide')
})
