import type { SourceFolder } from '@docket/sources/source-folder'
import { count } from '@docket/sources/text'
import { posix } from 'node:path'
import { limits } from '#site/limits.ts'
import { expandBraces } from './globs.ts'
import type { SiteLayout } from './layout.ts'
import type { SourceSite } from './source-site.ts'

type Tool = readonly [
  name: string,
  /** Files of a project, below its folder. Each of them proves it, if it contains `text`, and if `beside` is there, too. */
  files: string,
  /** Command that builds the site; null if there is none. */
  build: string | null,
  /** Folder or archive with the built site, below the project's folder. */
  site: string,
  text?: RegExp,
  beside?: RegExp,
]

const js = '.{js,cjs,mjs,ts,cts,mts}'
const yaml = '.{yml,yaml}'
const next = 'npx next build'
const jekyll =
  /^(?:theme|remote_theme|plugins|permalink|markdown|collections|baseurl|url|title|defaults|exclude)[ \t]*:/m
const jekyllGem = /^[ \t]*gem[ \t(]+["'](?:jekyll|github-pages|just-the-docs|minima)["']/m
const sphinx = /^(?:extensions|html_theme|master_doc|root_doc|templates_path|project|copyright)[ \t]*=|\bsphinx/m
const docsify =
  /\$docsify\s*=|<script\b[^>]{0,400}[/"']docsify(?:@[\w.-]{0,20})?(?:\/(?:lib|dist)\/docsify)?(?:\.min)?(?:\.js)?["'?]/
const eleventyParts = /(?:^|\/)_(?:includes|data)\/|\.njk$/

/** Tools whose projects are not read, particular ones before general ones. */
const tools: readonly Tool[] = [
  ['Hugo', '{hugo,config/_default/hugo,config/_default/config}.{toml,yaml,yml,json}', 'hugo', 'public'],
  ['Hugo', 'config.{toml,yaml,yml,json}', 'hugo', 'public', /^[ \t{]*"?baseurl\b/im, /^(?:content|archetypes)\//],
  ['Zola', '{zola,config}.toml', 'zola build', 'public', /^[ \t]*base_url\b/m, /^content\//],
  ['Jupyter Book', `_toc${yaml}`, 'jupyter-book build .', '_build/html', /^format:[ \t]*["']?jb-/m],
  ['Jupyter Book', `_toc${yaml}`, 'jupyter-book build .', '_build/html', /^- (?:file|part):/m, /^_config\.ya?ml$/],
  ['MyST', `myst${yaml}`, 'myst build --html', '_build/html'],
  ['Hexo', `_config${yaml}`, 'npx hexo generate', 'public', /^(?:new_post_name|skip_render|source_dir)[ \t]*:/m],
  ['Jekyll', `_config${yaml}`, 'bundle exec jekyll build', '_site', jekyll],
  ['Jekyll', 'Gemfile', 'bundle exec jekyll build', '_site', jekyllGem],
  ['Slate', 'source/index.html.md{,.erb}', 'bundle exec middleman build', 'build', /^language_tabs:/m],
  ['Middleman', 'config.rb', 'bundle exec middleman build', 'build', /^(?:activate|page|set)[ \t(]/m, /^source\//],
  ['Pelican', 'pelicanconf.py', 'pelican content', 'output'],
  ['Lektor', 'content/contents.lr', 'lektor build -O public', 'public'],
  ['Sphinx', 'conf.py', 'sphinx-build . _build/html', '_build/html', sphinx],
  ['Nextra', `{next,theme}.config{${js},.jsx,.tsx}`, next, 'out', /\bnextra\b/],
  ['Nextra', 'package.json', next, 'out', /"nextra"/, /(?:^|\/)_meta\.(?:[jt]sx?|json)$/],
  ['Fumadocs', `{source,next}.config${js}`, next, 'out', /\bfumadocs\b/],
  ['Contentlayer', `contentlayer.config${js}`, next, 'out'],
  ['Antora', `antora-playbook${yaml}`, 'npx antora antora-playbook.yml', 'build/site'],
  ['Antora', `playbook${yaml}`, 'npx antora playbook.yml', 'build/site', /^content:/m],
  // Its playbook is elsewhere.
  ['Antora', `antora${yaml}`, 'npx antora --to-dir build/site PLAYBOOK', 'build/site'],
  ['docsify', 'index.html', null, '', docsify],
  ['Quartz', `quartz.config${js}`, 'npx quartz build', 'public'],
  ['Obsidian', '.obsidian/{app,appearance,core-plugins,workspace}.json', null, ''],
  ['Logseq', 'logseq/config.edn', null, ''],
  ['Dendron', 'dendron.yml', 'npx dendron publish export', '.next/out'],
  ['Foam', '{.vscode/foam.json,.vscode/extensions.json}', null, '', /"foam\.|foam-vscode/],
  ['GitHub wiki', '{_Sidebar,_Footer}.md', null, '', /^/, /^Home\.md$/],
  ['Quarto', `_quarto${yaml}`, 'quarto render', '_book', /^[ \t]*type:[ \t]*["']?book\b/m],
  ['Quarto', `_quarto${yaml}`, 'quarto render', '_site'],
  ['bookdown', `_bookdown${yaml}`, `Rscript -e 'bookdown::render_book()'`, '_book'],
  ['R Markdown', `_site${yaml}`, `Rscript -e 'rmarkdown::render_site()'`, '_site', /^/, /^index\.rmd$/i],
  ['Writerside', 'writerside.cfg', 'writerside-builder', 'artifacts/webHelpHI2-all.zip'],
  ['DocFX', 'docfx.json', 'docfx', '_site'],
  ['Retype', 'retype.{yml,yaml,json}', 'npx retypeapp build --output public', 'public'],
  ['Redocly', 'redocly.yaml', null, '', /^/, /(?:^|\/)sidebars\.yaml$/],
  ['ReadMe', '{,docs/,reference/}_order.yaml', null, ''],
  ['dumi', `.dumirc${js}`, 'npx dumi build', 'dist'],
  ['dumi', `{.umirc,config/config}${js}`, 'npx dumi build', 'dist', /\bdumi\b/],
  ['mdsvex', '{mdsvex,svelte}.config.{js,ts}', 'npx vite build', 'build', /\bmdsvex\b/, /^src\/.*\.(?:svx|mdx?)$/],
  ['Eleventy', `{.eleventy,eleventy.config}${js}`, 'npx @11ty/eleventy', '_site'],
  ['Eleventy', 'package.json', 'npx @11ty/eleventy', '_site', /"@11ty\/eleventy"/, eleventyParts],
  ['Gatsby', `gatsby-config${js}`, 'npx gatsby build', 'public'],
  ['VuePress', `.vuepress/{config,config/index}${js}`, 'npx vuepress build .', '.vuepress/dist'],
  ['VuePress', '.vuepress/config.{yml,toml}', 'npx vuepress build .', '.vuepress/dist'],
  ['Rspress', `rspress.config${js}`, 'npx rspress build', 'doc_build'],
  ['Nuxt Content', `{nuxt,content}.config${js}`, 'npx nuxt generate', '.output/public', /@nuxt\/content|\bdocus\b/],
  ['Nuxt Content', 'package.json', 'npx nuxt generate', '.output/public', /"(?:docus|@nuxt\/content)"/, /^content\//],
  [
    'Astro',
    `astro.config${js}`,
    'npx astro build',
    'dist',
    /^(?![^]*starlight)/i,
    /^src\/(?:content|pages)\/.*\.mdx?$/,
  ],
  ['Documenter.jl', 'make.jl', 'julia make.jl', 'build', /\bmakedocs\b/],
]

/** Tools that make pages of code. Where there are texts besides a README, these are the documentation. */
const codeTools: readonly Tool[] = [
  ['Doxygen', 'Doxyfile{,.in}', 'doxygen', 'html'],
  ['TypeDoc', 'typedoc{,.config}.{json,js,cjs,mjs}', 'npx typedoc --out public', 'public'],
  ['JSDoc', '{jsdoc,.jsdoc,jsdoc.conf,jsdoc.config}.{json,js}', 'npx jsdoc -c jsdoc.json -d public', 'public'],
  ['rustdoc', 'Cargo.toml', 'cargo doc --no-deps', 'target/doc', /^\[package\.metadata\.docs\.rs\]/m],
]

/** Files of projects with a reader. Other tools beside them do not make the site. */
const ownFiles = /(?:^|\/)(?:docusaurus\.config\.\w+|mkdocs\.ya?ml|book\.toml)$/

/** Notations of whole sources, as their tools build them without a configuration. */
const notations: readonly [ending: RegExp, name: string, build: string | null, site: string][] = [
  [/\.(?:adoc|asciidoc)$/i, 'AsciiDoc', `asciidoctor -R . -D public '**/*.adoc'`, 'public'],
  [/\.rst$/i, 'reStructuredText', 'sphinx-build -C . public', 'public'],
  [/\.org$/i, 'Org mode', null, ''],
]

const markdown = /\.mdx?$/i
/** Texts of documentation without a reader. */
const others =
  /\.(?:adoc|asciidoc|rst|ipynb|org|textile|wiki|mediawiki|creole|rdoc|markdown|mdown|mkdn?|mdwn|qmd|rmd|dita|ditamap|topic)$/i

/** Texts about the repository, or about one of its folders. */
const aboutFolder =
  /(?:^|\/)(?:readme|changelog|changes|history|news|authors|contribut\w+|licen[cs]e|code_of_conduct|security)\.\w+$/i
const examples = /(?:^|\/)(?:examples?|fixtures?|tests?|__tests__|testdata|templates?|demos?)\//
const maxDepth = 3
/** Part of the texts that lie in a project below the root. */
const minShare = 1 / 3

/** `file` proves the project in the folder `base`. */
export type ForeignProject = { name: string; base: string; file: string; build: string | null; site: string }

/** Finds the project of a tool that Docket does not read, at the root or around many of the texts. Null if there is none. */
export const findForeignProject = async (folder: SourceFolder): Promise<ForeignProject | null> => {
  const all = [...folder.files].filter((file) => markdown.test(file) || others.test(file))
  const own = all.filter((file) => !aboutFolder.test(file))
  const texts = own.length > 0 ? own : all
  const readable = [...folder.files].filter((file) => ownFiles.test(file)).map((file) => posix.join(file, '../'))
  const bases = listBases(texts).filter((base) => !readable.includes(base || './'))
  for (const [name, files, build, site, text = /^/, beside = /^/] of [...tools, ...(own.length > 0 ? [] : codeTools)])
    for (const base of bases)
      for (const file of expandBraces(files).map((marker) => base + marker)) {
        // Hidden files are not listed.
        const mayExist = folder.files.has(file) || /(?:^|\/)\./.test(file)
        const content = mayExist && (await folder.read(file, limits.pageBytes))
        const hasBeside = () =>
          [...folder.files].some((other) => other.startsWith(base) && beside.test(other.slice(base.length)))
        if (content && text.test(content.toString('utf8')) && hasBeside()) return { name, base, file, build, site }
      }
  for (const [ending, name, build, site] of notations) {
    const written = texts.filter((file) => ending.test(file))
    const isMost = written.length * 2 > texts.length && written.length >= Math.min(2, all.length)
    if (isMost) return { name, base: '', file: written[0]!, build, site }
  }
  return null
}

/** Folders to which the texts may belong, outer before inner ones. */
const listBases = (texts: readonly string[]): string[] => {
  const counts = new Map([['', texts.length]])
  for (const text of texts)
    for (let [depth, end] = [0, text.indexOf('/')]; end >= 0 && depth < maxDepth; end = text.indexOf('/', end + 1)) {
      counts.set(text.slice(0, end + 1), (counts.get(text.slice(0, end + 1)) ?? 0) + 1)
      depth++
    }
  const isProject = (base: string, count: number) => count >= minShare * texts.length && !examples.test(base)
  return [...counts].flatMap(([base, count]) => (isProject(base, count) ? [base] : []))
}

/** Says how to export a foreign project, without a full stop. */
export const explainForeign = ({ name, base, build, site }: ForeignProject): string => {
  const where = base === '' ? '' : ` in ${base.slice(0, -1)}`
  const built = `Export its built site instead: build it with “${build}”${where}, then set the source to “built=./${base}${site}”. Or put`
  return `This is ${/^(?:[AEIOU]|R |mds)/.test(name) ? 'an' : 'a'} ${name} project. Docket does not read ${name}. ${build === null ? 'No command builds its site. Put' : built} “render=” before the source to export its Markdown as it is`
}

const maxNames = 5

/** Lines of the report for texts without a page: one for each Markdown file of a folder, and one for each other ending. */
export const listUnreadTexts = (
  { files }: SourceFolder,
  { kind, root }: SiteLayout,
  known: ReadonlySet<string>,
): SourceSite['leftOut'] => {
  const folders = [...known].filter((file) => file.endsWith('/'))
  const isKnown = (file: string) => known.has(file) || folders.some((folder) => file.startsWith(folder))
  const unread = [...files].filter((file) => file.startsWith(root) && !isKnown(file))
  // Other layouts have rules of their own for parts of pages.
  const parts = kind === 'folder' ? unread.filter((file) => markdown.test(file)) : []
  const byEnding = Map.groupBy(unread, (file) => others.exec(file)?.[0].toLowerCase() ?? '')
  byEnding.delete('')
  const lines = [...byEnding].map(([ending, all]) => {
    const names = `${all.slice(0, maxNames).join(', ')}${all.length > maxNames ? ' …' : ''}`
    return { file: all[0]!, reason: `Docket does not read ${count(all.length, `${ending} file`)}: ${names}` }
  })
  const reason = 'names with _ and folders named snippets are parts of other pages'
  return [...parts.map((file) => ({ file, reason })), ...lines]
}
