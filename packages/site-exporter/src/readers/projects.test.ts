import { openSourceFolder } from '@docket/sources/source-folder'
import { writeFolder } from '@docket/sources/testing/files'
import { expect, test } from 'vitest'
import type { NavNode } from '#site/source-page.ts'
import { exportFiles, linkProblems } from '#testing/site.ts'
import { readSite } from './read-site.ts'

const read = async (files: Readonly<Record<string, string>>) =>
  readSite(await openSourceFolder(await writeFolder(files)), 'Fallback')

/** Pages as paths, and groups as lists that begin with their title, which is in brackets for tabs. */
const shape = (nodes: readonly NavNode[]): unknown[] =>
  nodes.map((node) =>
    node.kind === 'page' ? node.path : [node.isTab ? `[${node.title}]` : node.title, ...shape(node.children)],
  )

const starlight = {
  'docs/astro.config.mjs': `import starlight from '@astrojs/starlight'
    import { locales } from './config/locales'
    import { sidebar } from './sidebar.ts'
    export default { integrations: [other({ a: 1 }), starlight({ title: { en: 'Guide' }, logo: { src: './src/assets/logo.svg' }, locales, defaultLocale: 'en', sidebar })] }`,
  'docs/config/locales.ts': `export const locales = { en: { label: 'English' }, de: { label: 'Deutsch', lang: 'de' } } satisfies object`,
  'docs/sidebar.ts': `import labels from './labels'
    const group = (key: keyof typeof labels, rest: object) => ({ label: labels[key], translations: { de: 'Beginn' }, ...rest })
    export const sidebar = [
      group('start', { items: ['intro', { slug: 'guides/css-tips', label: 'CSS' }, { label: 'Elsewhere', link: 'https://example.com/' }] }),
      { label: 'Reference', autogenerate: { directory: 'reference' } },
    ]`,
  'docs/labels.ts': `export default { start: 'Start' }`,
  'docs/public/favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>',
  'docs/public/a.txt': 'a',
  'docs/src/content/docs/en/index.mdx':
    '---\ntitle: Home\ntemplate: splash\nhero:\n  title: Big words\n  tagline: Small words\n  actions:\n    - { text: Go, link: /en/intro/ }\n---\n',
  'docs/src/content/docs/en/intro.md':
    '---\ntitle: Intro\n---\n[CSS](/en/guides/css-tips/) [file](/a.txt) ![](~/assets/logo.svg)\n',
  'docs/src/content/docs/en/guides/CSS Tips.mdx': '---\ntitle: CSS\n---\n',
  'docs/src/content/docs/en/reference/b.md': '---\ntitle: B\nsidebar: { order: 1, label: Second }\n---\n',
  'docs/src/content/docs/en/reference/a.md': '---\ntitle: A\n---\n',
  'docs/src/content/docs/en/reference/deep/c.md': '---\ntitle: C\n---\n',
  'docs/src/content/docs/en/reference/secret.md': '---\ntitle: S\nsidebar: { hidden: true }\n---\n',
  'docs/src/content/docs/en/moved.md': '---\ntitle: Moved\nslug: en/elsewhere/moved\n---\n',
  'docs/src/content/docs/en/_part.md': 'part',
  'docs/src/content/docs/de/intro.md': '---\ntitle: Einstieg\n---\n[CSS](/de/guides/css-tips/) [more](/de/more/)\n',
  'docs/src/content/docs/en/more/index.md': '---\ntitle: More\n---\n',
  'docs/src/assets/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>',
  'README.md': '# Repository',
}

test.each(['', '/docs', '/docs/v2/'])('links of a Starlight project begin with its base %j', async (base) => {
  const path = base.replace(/\/$/, '')
  const { files, report } = await exportFiles({
    'astro.config.mjs': `import starlight from '@astrojs/starlight'
      export default { ${base && `base: '${base}', `}integrations: [starlight({ title: 'T', sidebar: [{ label: 'A', link: '/guide/a/' }] })] }`,
    'public/i.png': 'x',
    'src/content/docs/index.md': `[A](${path}/guide/a/#b) [Home](${path || '/'}) ![i](${path}/i.png)`,
    'src/content/docs/guide/a.md': '# A\n\n## B\n',
  })
  expect(report.lines).toEqual([])
  expect(files.get('index.html')).toMatch(/href="guide\/a.html#b"[^]*src="media\/i\.\w+\.png"/)
})

test('a book of GitBook is found in a folder, by most of the Markdown or its .gitbook.yaml', async () => {
  const book = (base: string) => ({
    [`${base}SUMMARY.md`]: '* [1.10](a.md)\n* [B](sub/b.md)\n',
    [`${base}a.md`]: '[B](sub/b.md)',
    [`${base}sub/b.md`]: '# B',
  })
  const others = Object.fromEntries([1, 2, 3, 4, 5].map((at) => [`other/${at}.md`, '# x']))
  for (const files of [
    book('docs/book/'),
    { ...book('apps/g/content/'), ...others, 'apps/g/.gitbook.yaml': 'root: ./content/' },
  ]) {
    const { nav, pages } = await read({ 'README.md': '# Code', 'conf.py': 'extensions = []', ...files })
    expect(shape(nav)).toEqual(['a', 'sub/b'])
    expect(pages.get('a')?.sidebarTitle).toBe('1.10')
  }
  expect([...(await read({ ...book('some/'), ...others })).pages.keys()]).toContain('other/1')
})

test('the line about other folders names each other space of GitBook, with or without its folder of pictures', async () => {
  const space = (base: string) => ({ [`${base}SUMMARY.md`]: '* [A](a.md)\n', [`${base}a.md`]: '# A' })
  const { leftOut } = await read({
    ...space('documentation/'),
    'documentation/.gitbook/assets/a.png': '',
    ...space('developers/'),
    ...space('policies/'),
    'documentation/part/SUMMARY.md': '# A page of its own',
  })
  const [line] = leftOut.filter(({ reason }) => reason.includes('other folders'))
  expect(line).toMatchObject({ file: 'documentation/' })
  expect(line!.reason).toMatch(/other folders with a configuration: developers\/, policies\/$/)
})

test('a Starlight project keeps the addresses, sidebar and languages of its configuration, even if spread over modules', async () => {
  const site = await read(starlight)
  expect(site.name).toBe('Guide')
  expect(site.logo.light).toBe('docs/src/assets/logo.svg')
  expect([...site.pages.keys()].toSorted()).toEqual(
    'de/intro en/elsewhere/moved en/guides/css-tips en/index en/intro en/more/index en/reference/a en/reference/b en/reference/deep/c en/reference/secret'.split(
      ' ',
    ),
  )
  expect(shape(site.nav)).toEqual([
    [
      '[English]',
      'en/index',
      ['Start', 'en/intro', 'en/guides/css-tips', ['Elsewhere']],
      ['Reference', 'en/reference/b', 'en/reference/a', ['deep', 'en/reference/deep/c']],
    ],
    ['[Deutsch]', ['Beginn', 'de/intro', ['Elsewhere']]],
  ])
  expect(site.pages.get('en/reference/b')!.sidebarTitle).toBe('Second')
  expect(site.redirects.get('de/guides/css-tips')).toBe('/en/guides/css-tips')
})

test('the export of a Starlight project includes its links, files and hero', async () => {
  const { files, report } = await exportFiles(starlight)
  expect(linkProblems(files)).toEqual([])
  expect(report.counts['broken-link'] ?? 0).toBe(0)
  expect(report.counts['missing-file'] ?? 0).toBe(0)
  for (const words of ['Big words', 'Small words', '>Go</a>']) expect(files.get('en/index.html')).toContain(words)
})

const docusaurus = {
  'website/docusaurus.config.js': `const path = require('path')
    module.exports = { title: 'Project', tagline: 'Line', favicon: 'img/i.svg', i18n: { defaultLocale: 'en', locales: ['en', 'fr'] },
      presets: [['@docusaurus/preset-classic', { docs: { path: '../docs', sidebarPath: require.resolve('./sidebars.js'), include: ['**/*.{md,mdx}'] } }]],
      themeConfig: { navbar: { items: [{ type: 'docSidebar', sidebarId: 'api', label: 'API' }, { type: 'docSidebar', sidebarId: 'docs', label: 'Guide' }] } } }`,
  'website/sidebars.js': `module.exports = { docs: { Start: ['intro', { type: 'category', label: 'More', link: { type: 'generated-index' }, items: [{ type: 'autogenerated', dirName: '02-guides' }] }] }, api: ['api/one', { type: 'link', label: 'Out', href: 'https://example.com' }, 'gone'] }`,
  'website/static/img/i.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>',
  'website/versions.json': '["2.0"]',
  'website/versioned_sidebars/version-2.0-sidebars.json': '{"docs": ["intro"]}',
  'website/versioned_docs/version-2.0/intro.md': '# Old intro\n',
  'website/i18n/fr/docusaurus-plugin-content-docs/version-2.0/intro.md': '# Bonjour\n',
  'website/blog/2024-03-01-first.md': '# First\n',
  'website/src/pages/help.md': '# Help\n',
  'docs/01-intro.md':
    '---\nslug: /\n---\n# Intro\n\n[guide](./02-guides/01-b.md) ![i](/img/i.svg)\n\n:::tip Mind\nText\n:::\n\n```bash npm2yarn\nnpm install x\n```\n',
  'docs/02-guides/_category_.json': '{"label": "Guides", "position": 2}',
  'docs/02-guides/02-a.md': '---\nid: first\nsidebar_label: A!\n---\n# A\n',
  'docs/02-guides/01-b.md': '# B\n',
  'docs/02-guides/deep/index.md': '---\ntitle: Deep\nsidebar_position: 1.5\n---\n',
  'docs/02-guides/deep/x.md': '# X\n',
  'docs/api/one.mdx': '---\nslug: ../uno\n---\nexport const a = 1\n\n# One\n',
  'docs/_part.md': 'part',
}

test('the ids, slugs, number prefixes, sidebars, versions and languages of a Docusaurus project are honoured', async () => {
  const site = await read(docusaurus)
  expect([site.name, site.description, site.favicon]).toEqual(['Project', 'Line', 'website/static/img/i.svg'])
  expect(shape(site.nav)).toEqual([
    [
      '[English]',
      [
        '[Docs]',
        ['[2.0]', 'docs/intro'],
        [
          '[Next]',
          [
            '[Guide]',
            [
              'Start',
              'docs/next/index',
              [
                'More',
                'docs/next/category/more',
                'docs/next/guides/b',
                ['Deep', 'docs/next/guides/deep/index', 'docs/next/guides/deep/x'],
                'docs/next/guides/first',
              ],
            ],
          ],
          ['[API]', 'docs/next/uno', ['Out']],
        ],
      ],
      ['[Blog]', 'blog/2024/03/01/first'],
    ],
    ['[français]', 'fr/docs/intro'],
  ])
  expect(site.pages.get('docs/next/guides/first')!.sidebarTitle).toBe('A!')
  expect(site.pages.has('help')).toBe(true)
  const category = site.pages.get('docs/next/category/more')!
  expect([category.title, category.body?.match(/title=\{"[^"]*"\} href=\{"[^"]*"\}/g)]).toEqual([
    'More',
    [
      'title={"B"} href={"/docs/next/guides/b"}',
      'title={"Deep"} href={"/docs/next/guides/deep/index"}',
      'title={"A!"} href={"/docs/next/guides/first"}',
    ],
  ])
  expect(site.leftOut.map(({ file }) => file)).toContain('gone')
})

test('a Docusaurus version whose folder is missing is a copy of the current docs', async () => {
  const config = docusaurus['website/docusaurus.config.js'].replace(
    "path: '../docs'",
    '$&, includeCurrentVersion: false',
  )
  const site = await read({
    ...docusaurus,
    'website/docusaurus.config.js': config,
    'website/versions.json': '["3.0", "2.0"]',
    'website/versioned_sidebars/version-3.0-sidebars.json': '{"docs": ["intro", "api/one"]}',
  })
  expect([...site.pages.keys()]).toEqual(expect.arrayContaining(['docs/index', 'docs/uno', 'docs/2.0/intro']))
  expect(site.leftOut.map(({ file }) => file)).not.toContain('intro')
})

test('the export of a Docusaurus project includes its links and files', async () => {
  const { files, report } = await exportFiles(docusaurus)
  expect(linkProblems(files)).toEqual([])
  expect([report.counts['broken-link'], report.counts['missing-file']]).toEqual([undefined, undefined])
  const home = files.get('docs/next/index.html')!.replace(/<\/?span[^>]*>/g, '')
  for (const words of ['Mind', 'Yarn', 'npm install x', 'yarn add x', 'pnpm add x']) expect(home).toContain(words)
  expect(home).not.toContain('npm2yarn')
})

const mkdocs = {
  'base.yml': 'site_name: Inherited\ntheme: { name: material }\n',
  'mkdocs.yml': `INHERIT: base.yml
site_name: !ENV [NAME, 'Handbook']
docs_dir: pages
theme: { logo: img/l.svg }
exclude_docs: |
  drafts/
markdown_extensions:
  - pymdownx.snippets: { base_path: [parts], auto_append: [abbr.md] }
  - pymdownx.superfences: { custom_fences: [{ format: !!python/name:x.y }] }
plugins:
  - redirects: { redirect_maps: { 'old.md': 'start.md', 'older.md': 'start.md#two-words', 'oldest.md': 'start.md#gone' } }
nav:
  - Home: index.md
  - "":
    - guide/index.md
    - start.md
    - Out: https://example.com/
    - gone.md
`,
  'parts/abbr.md': '*[HTML]: Hypertext\n',
  'parts/piece.md': 'before\n--8<-- [start:in]\nfrom a piece\n--8<-- [end:in]\n',
  'pages/index.md':
    '# Welcome { #hello .big }\n\n--8<-- "piece.md:in"\n\nHTML and ++ctrl+k++ and ==this==.\n\n[Start](start.md){ .md-button } ![](img/l.svg#only-light){ width="20" }\n',
  'pages/start.md':
    '# Start\n\n## Two Words\n\n## Two Words\n\n`key`\n:   Meaning\n\n    More of it\n\n/// tip | Mind\nText\n///\n\n/// tab | One\n1\n///\n\n/// tab | Two\n2\n///\n\n``` { .py title="a.py" hl_lines="2" }\na = 1 # (1)!\nb = 2\n```\n\n<div class="x" markdown>\n**bold**\n</div>\n\n::: package.Thing\n\nSee [`Thing`][package.Thing], [a `b` c][package.b] and [typing][], not `[x][a.b]` or [that one][].\n',
  'pages/guide/index.md': '# Guide { #guide }\n',
  'pages/drafts/x.md': '# X\n',
  'pages/_underscore.md': '# Underscore\n',
  'pages/img/l.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>',
}

test('a MkDocs project takes its name, folder, navigation and redirects from its own and its inherited configuration', async () => {
  const site = await read(mkdocs)
  expect([site.name, site.logo.light]).toEqual(['Handbook', 'pages/img/l.svg'])
  expect(shape(site.nav)).toEqual(['index', ['Guide', 'guide/index', 'start', ['Out']]])
  expect([...site.pages.keys()].toSorted()).toEqual(['_underscore', 'guide/index', 'index', 'start'])
  expect(site.pages.get('index')!.title).toBe('Welcome')
  expect(site.redirects.get('old')).toBe('/start.md')
  expect(site.leftOut.map(({ file }) => file)).toEqual(expect.arrayContaining(['gone.md', 'pages/drafts/x.md']))
})

test('the export of a MkDocs project renders the Python-Markdown syntax of its pages', async () => {
  const { files, report } = await exportFiles(mkdocs)
  expect(linkProblems(files)).toEqual([])
  const home = files.get('index.html')!
  for (const part of [
    'from a piece',
    '<abbr title="Hypertext">HTML</abbr>',
    '<kbd>Ctrl</kbd>',
    '<mark>this</mark>',
    'id="hello"',
  ])
    expect(home).toContain(part)
  for (const part of ['{ ', '8&#x3C;--', '==', '*[HTML', '{.']) expect(home.split('<main')[1]).not.toContain(part)
  const start = files.get('start.html')!
  for (const part of [
    'id="two-words"',
    'id="two-words_1"',
    '<dt><code>key</code></dt>',
    'More of it',
    '<strong>bold</strong>',
    'a.py',
  ])
    expect(start).toContain(part)
  expect(files.get('older.html')).toContain('url=start.html#two-words"')
  expect(files.get('oldest.html')).toContain('url=start.html"')
  expect(start).toMatch(/callout tip[\s\S]*Mind[\s\S]*Text/)
  expect(start).not.toContain('///')
  expect(start).not.toContain('(1)!')
  expect(start).toContain(
    'See <code>Thing</code>, a <code>b</code> c and typing, not <code>[x][a.b]</code> or [that one][].',
  )
  expect(report.lines.map(({ what }) => what)).toContainEqual(expect.stringContaining('package.Thing'))
})

test('a Rust book keeps its title, chapters, redirects and heading ids, and the heading of its summary becomes no part', async () => {
  const book = {
    'book.toml': '[book]\ntitle = "The Book"\n\n[output.html.redirect]\n"/old.html" = "one.html"\n',
    'src/SUMMARY.md': '# The Book\n\n[Start](README.md)\n\n# Part\n\n- [One](one.md)\n\n---\n\n[End](end.md)\n',
    'src/README.md': '{{#title Other}}\n# Start\n',
    'src/one.md': '# One\n\n## A & B: `Vec<T>`\n\n```rust\n# hidden\nlet a = 1;\n```\n',
    'src/end.md': '# End\n',
  }
  const site = await read(book)
  expect(site.name).toBe('The Book')
  expect(shape(site.nav)).toEqual(['index', ['Part', 'one'], 'end'])
  const { files } = await exportFiles(book)
  expect(files.get('one.html')).toContain('id="a--b-vect"')
  expect(files.get('one.html')!.split('<article>')[1]).not.toContain('hidden')
  expect(files.get('index.html')).not.toContain('#title')
  expect(files.get('old.html')).toContain('one.html')
})

test('a VitePress project gets its addresses from its rewrites, and a sidebar for each language', async () => {
  const site = await read({
    'docs/.vitepress/config.ts': `export default { title: 'V', rewrites: { 'en/:rest*': ':rest*' }, locales: { root: { label: 'English' }, de: { label: 'Deutsch' } } }`,
    'docs/config.ts': `export default { themeConfig: { sidebar: { '/guide/': { base: '/guide/', items: [{ text: 'A', link: 'a' }] } } } }`,
    'docs/de/config.ts': `export default { themeConfig: { sidebar: [{ text: 'A', link: '/de/guide/a' }] } }`,
    'docs/en/guide/a.md': '# A\n',
    'docs/de/guide/a.md': '# A\n',
  })
  expect(shape(site.nav)).toEqual([
    ['[English]', ['[Guide]', 'guide/a']],
    ['[Deutsch]', 'de/guide/a'],
  ])
})

test('reading a hostile configuration of any tool ends, runs nothing and never leaves the source folder', async () => {
  const loop = `import { a } from './b.js'\nexport const b = a\nexport default a`
  const files = {
    'astro.config.mjs': `globalThis.wasRun = true\nimport x from './astro.config.mjs'\n${loop}`,
    'b.js': `import { b } from './astro.config.mjs'\nexport const a = b\nglobalThis.wasRun = true`,
    'docusaurus.config.js': `module.exports = require('../../../../etc/passwd')`,
    'mkdocs.yml': `INHERIT: mkdocs.yml\ndocs_dir: ../../etc\n`,
    'book.toml': '[book]\nsrc = "../.."\n',
    'page.md': '# Page\n\n--8<-- "/etc/passwd"\n',
  }
  const site = await read(files)
  expect('wasRun' in globalThis).toBe(false)
  expect([...site.pages.keys()]).toEqual(['page'])
})

test.each([
  [
    'packages/.vitepress/config.ts',
    `export default { title: 'Found', themeConfig: { sidebar: [{ link: '/a' }] } }`,
    'packages/',
  ],
  ['apps/www/mkdocs.yml', 'site_name: Found\nnav: [a.md]', 'apps/www/docs/'],
  [
    'docs-site/docusaurus.config.js',
    `module.exports = { title: 'Found', presets: [['classic', { docs: {} }]] }`,
    'docs-site/docs/',
  ],
  ['a/b/c/book.toml', '[book]\ntitle = "Found"', 'a/b/c/src/'],
  ['packages/docs/docs.json', '{"name": "Found", "navigation": {"pages": ["a", "build/b"]}}', 'packages/docs/'],
])('a project is found by its configuration %s, and the report says where', async (file, text, root) => {
  const { files, report } = await exportFiles({
    'README.md': '# Repository',
    'CODE_OF_CONDUCT.md': '# Conduct',
    [file]: text,
    [`${root}index.md`]: '# Home\n\n[a](a.md) ![](/p.png)',
    [`${root}a.md`]: '# A',
    [`${root}build/b.md`]: '# B',
    [`${root}p.png`]: 'png',
    [`${root}SUMMARY.md`]: '- [A](a.md)\n- [B](build/b.md)\n- [Home](index.md)',
    'examples/x/docusaurus.config.js': `module.exports = { title: 'Example', presets: [['classic', {}]] }`,
    'z/y/x/mkdocs.yml': 'site_name: Other',
    'z/y/x/docs/index.md': '# Other',
  })
  expect(files.get('404.html')).toContain('Found')
  expect([...files.keys()].some((name) => /CODE_OF|Repository|z\//.test(name))).toBe(false)
  expect([...files.keys()].filter((name) => /(^|\/)(a|b)\.html$/.test(name)).length).toBe(2)
  expect(linkProblems(files)).toEqual([])
  const place = report.lines.filter(({ what }) => what.startsWith('the site is made from'))
  expect(place.map(({ what }) => what)).toEqual([
    'the site is made from the project in this folder; other folders with a configuration: z/y/x/',
  ])
})

test.each([
  ['mkdocs.yml', 'site_name: Found', 'docs/', './'],
  ['docs/mkdocs.yml', 'site_name: Found', 'docs/docs/', 'docs/'],
])('the report names the projects that no page comes from, beside %s', async (file, text, root, place) => {
  const own = { [file]: text, [`${root}index.md`]: '# Home' }
  const read = async (more: Readonly<Record<string, string>>) => {
    const { report } = await exportFiles({ ...own, ...more })
    return report.lines.flatMap((line) =>
      line.what.startsWith('the site is made') ? [`${line.file}: ${line.what}`] : [],
    )
  }
  expect(await read({ 'examples/x/mkdocs.yml': 'site_name: Example' })).toEqual([])
  const other = { 'manual/mkdocs.yml': 'site_name: Other', 'manual/docs/index.md': '# Other' }
  expect(await read(other)).toEqual([
    `${place}: the site is made from the project in this folder; other folders with a configuration: manual/`,
  ])
})
