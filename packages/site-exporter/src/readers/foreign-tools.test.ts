import { openSourceFolder } from '@docket/sources/source-folder'
import { writeFolder } from '@docket/sources/testing/files'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exportFiles } from '#testing/site.ts'
import { readSite } from './read-site.ts'

type Files = Readonly<Record<string, string>>

/** Smallest projects as the tools make them, without their Markdown. */
const projects: readonly [tool: string, files: Files, page: string, site: string | null][] = [
  ['Hugo', { 'hugo.toml': 'baseURL = "https://example.org/"' }, 'content/docs/start.md', 'public'],
  ['Hugo', { 'config/_default/hugo.yaml': 'title: Site' }, 'content/start.md', 'public'],
  ['Hugo', { 'config.toml': 'title = "Site"\nbaseurl = "/"' }, 'content/start.md', 'public'],
  ['Zola', { 'config.toml': 'base_url = "https://example.org"' }, 'content/start.md', 'public'],
  ['Jekyll', { '_config.yml': 'title: Site\ntheme: minima' }, 'guide/start.md', '_site'],
  ['Jekyll', { Gemfile: `source 'https://rubygems.org'\ngem 'jekyll', '~> 4'` }, 'start.md', '_site'],
  ['Hexo', { '_config.yml': 'title: Hexo\nsource_dir: source' }, 'source/_posts/start.md', 'public'],
  [
    'Jupyter Book',
    { '_config.yml': 'title: Book', '_toc.yml': 'format: jb-book\nroot: intro' },
    'intro.md',
    '_build/html',
  ],
  ['MyST', { 'myst.yml': 'version: 1\nproject:\n  title: x' }, 'index.md', '_build/html'],
  ['Sphinx', { 'conf.py': `project = 'Site'\nextensions = ['myst_parser']` }, 'guide/start.md', '_build/html'],
  ['Pelican', { 'pelicanconf.py': `SITENAME = 'x'` }, 'content/start.md', 'output'],
  ['Nextra', { 'next.config.mjs': `import nextra from 'nextra'` }, 'content/start.mdx', 'out'],
  ['Nextra', { 'package.json': '{"dependencies":{"nextra":"4"}}', 'pages/_meta.json': '{}' }, 'pages/start.mdx', 'out'],
  [
    'Fumadocs',
    { 'source.config.ts': `import { defineDocs } from 'fumadocs-mdx/config'` },
    'content/docs/start.mdx',
    'out',
  ],
  ['Antora', { 'antora.yml': 'name: site', 'modules/ROOT/pages/index.adoc': '= Site' }, 'README.md', 'build/site'],
  ['docsify', { 'index.html': '<script>window.$docsify = {}</script>' }, 'guide/start.md', null],
  ['Obsidian', { '.obsidian/app.json': '{}' }, 'Sub/Deep.md', null],
  ['Quartz', { 'quartz.config.ts': 'export default {}' }, 'content/start.md', 'public'],
  ['Logseq', { 'logseq/config.edn': '{}' }, 'pages/start.md', null],
  ['Quarto', { '_quarto.yml': 'project:\n  type: website' }, 'start.md', '_site'],
  ['Quarto', { '_quarto.yml': 'project:\n  type: book' }, 'start.md', '_book'],
  ['bookdown', { '_bookdown.yml': 'book_filename: x' }, 'start.md', '_book'],
  ['Writerside', { 'writerside.cfg': '<ihp/>' }, 'topics/start.md', 'artifacts/webHelpHI2-all.zip'],
  ['DocFX', { 'docfx.json': '{"build":{}}' }, 'docs/start.md', '_site'],
  ['Eleventy', { '.eleventy.js': 'module.exports = {}' }, 'docs/start.md', '_site'],
  ['Eleventy', { 'eleventy.config.mjs': 'export default {}' }, 'docs/start.md', '_site'],
  ['Gatsby', { 'gatsby-config.js': 'module.exports = {}' }, 'docs/start.md', 'public'],
  ['VuePress', { '.vuepress/config.js': 'module.exports = {}' }, 'README.md', '.vuepress/dist'],
  ['Rspress', { 'rspress.config.ts': 'export default {}' }, 'docs/start.md', 'doc_build'],
  [
    'Nuxt Content',
    { 'nuxt.config.ts': `export default { modules: ['@nuxt/content'] }` },
    'content/start.md',
    '.output/public',
  ],
  ['Nuxt Content', { 'package.json': '{"dependencies":{"docus":"5"}}' }, 'content/start.md', '.output/public'],
  ['Documenter.jl', { 'make.jl': 'using Documenter\nmakedocs(sitename="x")' }, 'src/index.md', 'build'],
  ['Doxygen', { Doxyfile: 'PROJECT_NAME = x' }, 'README.md', 'html'],
  ['TypeDoc', { 'typedoc.json': '{"entryPoints":["src"]}' }, 'README.md', 'public'],
  ['JSDoc', { 'jsdoc.json': '{"source":{}}' }, 'README.md', 'public'],
  ['rustdoc', { 'Cargo.toml': '[package.metadata.docs.rs]\nall-features = true' }, 'README.md', 'target/doc'],
  ['Jekyll', { Gemfile: `gem "just-the-docs"` }, 'docs/start.md', '_site'],
  [
    'Jupyter Book',
    { '_config.yml': 'title: Book', '_toc.yml': '- file: intro\n  numbered: true' },
    'intro.md',
    '_build/html',
  ],
  ['Slate', { 'source/index.html.md': '---\nlanguage_tabs:\n  - shell\n---\n' }, 'source/includes/a.md', 'build'],
  ['Middleman', { 'config.rb': 'activate :syntax', 'source/layouts/a.erb': '' }, 'source/start.html.md', 'build'],
  ['Lektor', { 'content/contents.lr': 'title: x', 'models/page.ini': '' }, 'start.md', 'public'],
  ['Contentlayer', { 'contentlayer.config.ts': 'export default {}' }, 'content/start.mdx', 'out'],
  ['Antora', { 'playbook.yml': 'content:\n  sources: []' }, 'start.md', 'build/site'],
  ['Antora', { 'antora-playbook.yml': 'site: {}' }, 'start.md', 'build/site'],
  ['docsify', { 'index.html': '<script src="//cdn.jsdelivr.net/npm/docsify@4"></script>' }, 'guide/start.md', null],
  ['docsify', { 'index.html': '<script src="lib/docsify.min.js"></script>' }, 'guide/start.md', null],
  ['Dendron', { 'dendron.yml': 'version: 5' }, 'vault/root.md', '.next/out'],
  ['Foam', { '.vscode/extensions.json': '{"recommendations":["foam.foam-vscode"]}' }, 'notes/start.md', null],
  ['GitHub wiki', { '_Sidebar.md': '[[Home]]', 'Home.md': '# Home' }, 'Start.md', null],
  ['R Markdown', { '_site.yml': 'name: x', 'index.Rmd': '# Site' }, 'start.md', '_site'],
  ['Retype', { 'retype.yml': 'input: .' }, 'guide/start.md', 'public'],
  ['Redocly', { 'redocly.yaml': 'apis: {}', 'sidebars.yaml': '- page: a.md' }, 'start.md', null],
  ['ReadMe', { 'docs/_order.yaml': '- guides' }, 'docs/guides/start.md', null],
  ['dumi', { '.dumirc.ts': 'export default {}' }, 'docs/start.md', 'dist'],
  ['dumi', { 'config/config.ts': `import { defineConfig } from 'dumi'` }, 'docs/start.md', 'dist'],
  ['mdsvex', { 'svelte.config.js': `import { mdsvex } from 'mdsvex'` }, 'src/routes/start/+page.md', 'build'],
  [
    'Eleventy',
    { 'package.json': '{"devDependencies":{"@11ty/eleventy":"3"}}', '_includes/a.njk': '' },
    'docs/start.md',
    '_site',
  ],
  ['VuePress', { '.vuepress/config.yml': 'title: x' }, 'README.md', '.vuepress/dist'],
  [
    'Astro',
    { 'astro.config.mjs': 'export default {}', 'src/layouts/a.astro': '' },
    'src/content/docs/start.md',
    'dist',
  ],
  ['AsciiDoc', { 'index.adoc': '= Site', 'guide.adoc': '= Guide' }, 'README.md', 'public'],
  ['Org mode', { 'index.org': '* Site', 'guide.org': '* Guide' }, 'README.md', null],
  ['reStructuredText', { 'index.rst': 'Site\n====', 'guide.rst': 'Guide\n=====' }, 'README.md', 'public'],
]

const move = (files: Files, folder: string) =>
  Object.fromEntries(Object.entries(files).map(([file, text]) => [folder + file, text]))

const read = async (files: Files, render = false) =>
  readSite(await openSourceFolder(await writeFolder(files)), 'Fallback', { render })

test.each(projects)(
  'a project of %s is refused by name, wherever it lies, with the way to its built site',
  async (tool, files, page, site) => {
    for (const folder of ['', 'docs/', 'packages/site/']) {
      const own = folder === '' || /^(AsciiDoc|reStr|Org)/.test(tool) ? '' : folder
      const error: unknown = await read({
        'README.md': '# Code',
        ...move({ [page]: '# Start', ...files }, folder),
      }).catch((thrown: unknown) => thrown)
      const { message } = error as Error
      expect(message).toContain(` ${tool} project. Docket does not read ${tool}. `)
      expect(message).toContain('“render=”')
      if (site === null) expect(message).not.toContain('built=')
      else expect(message).toContain(`“built=./${own}${site}”`)
    }
  },
)

const configured = projects.filter(([tool]) => !/^(AsciiDoc|reStr|Org|Doxy|Type|JSDoc|rust)/.test(tool))

test.each(configured)(
  'the Markdown of a project of %s is exported on request, and the report names the tool first',
  async (tool, files, page) => {
    const more = {
      '_index.md': '# Index',
      'part/_index.md': '# Part',
      'ref.rst': 'Ref\n===',
      'b.rst': 'B\n=',
      'n.ipynb': '{}',
      'old.org': '* x',
    }
    const all = { [page]: '# Start', 'other.md': '# Other', ...more, ...files }
    const site = await read(all, true)
    expect(site.leftOut[0]?.reason).toBe(`the source is a project of ${tool}, whose navigation and syntax are not read`)
    const pages = [...site.pages.values()].map(({ file }) => file)
    const lines = site.leftOut.map(({ file, reason }) => `${file} ${reason}`)
    for (const file of Object.keys(all).filter((name) => /\.(mdx?|rst|adoc|ipynb|org)$/.test(name)))
      expect(pages.includes(file) || lines.some((line) => line.includes(file)), file).toBe(true)
  },
)

const readable: readonly [reader: string, files: Files][] = [
  ['docs.json', { 'docs.json': '{"name":"x","navigation":["start"]}', 'start.md': '# Start' }],
  ['VitePress', { '.vitepress/config.ts': `export default { title: 'x' }`, 'start.md': '# Start' }],
  ['MkDocs', { 'mkdocs.yml': 'site_name: x', 'docs/index.md': '# Start' }],
  [
    'Docusaurus',
    {
      'docusaurus.config.js': `module.exports = { title: 'x', presets: [['classic', {}]] }`,
      'docs/start.md': '# Start',
    },
  ],
  [
    'Starlight',
    {
      'astro.config.mjs': `import starlight from '@astrojs/starlight'\nexport default { integrations: [starlight({ title: 'x' })] }`,
      'src/content/docs/index.md': '# Start',
    },
  ],
  ['mdBook', { 'book.toml': '[book]\ntitle = "x"', 'src/SUMMARY.md': '[Start](start.md)', 'src/start.md': '# Start' }],
  ['SUMMARY.md', { 'SUMMARY.md': '* [Start](start.md)', 'start.md': '# Start' }],
  ['mint.json', { 'mint.json': '{"name":"x","navigation":[{"group":"G","pages":["start"]}]}', 'start.md': '# Start' }],
]

test.each(readable)(
  'a project that the reader of %s takes is never refused, whatever lies beside it',
  async (_, files) => {
    const markers = fc.subarray(
      projects.map(([, marker]) => marker),
      { minLength: 1 },
    )
    await fc.assert(
      fc.asyncProperty(markers, async (chosen) => {
        expect((await read({ ...Object.assign({}, ...chosen), ...files })).pages.size).toBeGreaterThan(0)
      }),
      { numRuns: 10 },
    )
  },
)

test.each([
  ['of Markdown alone', { 'index.md': '# Start', 'guide/a.md': '# A' }],
  [
    'with a package.json',
    { 'index.md': '# Start', 'package.json': '{"dependencies":{"nextra":"4","docus":"1","gatsby":"5"}}' },
  ],
  ['with the playbook of another program', { 'index.md': '# Start', 'playbook.yml': '- hosts: all' }],
  [
    'with files of tools that make pages of code',
    {
      'docs/a.md': '# A',
      'README.md': '# R',
      Doxyfile: 'x',
      'typedoc.json': '{}',
      'jsdoc.json': '{}',
      'Cargo.toml': '[package.metadata.docs.rs]',
    },
  ],
  ['with a _toc.yml alone', { 'a.md': '# A', '_toc.yml': '- file: a' }],
  ['with a _toc.yml of its own', { 'a.md': '# A', '_toc.yml': 'toc: []', '_config.yml': 'a: 1' }],
  [
    'with a page about docsify',
    { 'a.md': '# A', 'index.html': '<a href="/docsify/">x</a><script src="/docsify/x.js"></script>' },
  ],
  [
    'with a website beside it',
    { 'docs/a.md': '# A', 'astro.config.mjs': '', 'src/pages/index.astro': '', 'svelte.config.js': 'mdsvex' },
  ],
  [
    'with a configuration of Starlight that cannot be read',
    { 'docs/a.md': '# A', 'astro.config.mjs': 'starlight(', 'src/content/docs/b.md': '# B' },
  ],
  [
    'with a configuration of Docusaurus that cannot be read',
    { 'docs/a.md': '# A', 'docusaurus.config.js': '{{{', '_config.yml': 'theme: x', 'conf.py': 'extensions = []' },
  ],
  [
    'with a configuration of MkDocs that cannot be read',
    { 'docs/a.md': '# A', 'mkdocs.yml': '{{{', '_config.yml': 'theme: x' },
  ],
  [
    'with a configuration of its own',
    {
      'index.md': '# Start',
      'config.toml': 'title = "x"',
      'config.json': '{"baseURL":"/"}',
      'conf.py': 'print(1)',
      '_config.yml': 'a: 1',
      'index.html': '<p>x</p>',
      'next.config.js': 'x',
    },
  ],
  [
    'with examples of tools',
    { 'index.md': '# Start', 'examples/site/hugo.toml': '', 'examples/site/content/a.md': '# A' },
  ],
  [
    'with a small site of a tool beside many pages',
    {
      ...Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`docs/${at}.md`, '# A'])),
      'web/gatsby-config.js': '',
      'web/README.md': '# Web',
      'web/post.md': '# Post',
    },
  ],
  [
    'with a README and one text in another notation',
    { 'README.md': '# Start', 'AUTHORS.rst': 'x', 'notes.adoc': '= N' },
  ],
  ['with few texts in another notation', { 'a.md': '# A', 'b.md': '# B', 'c.adoc': '= C' }],
])('a folder %s is exported as it is', async (_, files) => {
  expect((await read(files as Files)).pages.size).toBeGreaterThan(0)
})

test('the Markdown of a source in another notation is exported on request', async () => {
  const site = await read({ 'README.md': '# Start', 'a.adoc': '= A', 'b.adoc': '= B' }, true)
  expect([...site.pages.keys()]).toEqual(['index'])
  expect(site.leftOut.map(({ file }) => file)).toEqual(['a.adoc', 'a.adoc'])
})

test('texts without a reader have a line for each ending, with their number', async () => {
  const books = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`n/${at}.ipynb`, '{}']))
  const { report } = await exportFiles({ 'index.md': '# Start', 'a.md': '# A', 'one.textile': 'h1. One', ...books })
  expect(report.lines.map(({ file, what }) => `${file}: ${what}`)).toEqual([
    'n/0.ipynb: Docket does not read 9 .ipynb files: n/0.ipynb, n/1.ipynb, n/2.ipynb, n/3.ipynb, n/4.ipynb …',
    'one.textile: Docket does not read 1 .textile file: one.textile',
  ])
})
