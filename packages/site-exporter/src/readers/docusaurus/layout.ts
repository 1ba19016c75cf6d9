import { posix } from 'node:path'
import type { SourceFolder } from '@docket/sources/source-folder'
import { listFallbackRedirects } from '#readers/redirects.ts'
import { findFile } from '#readers/globs.ts'
import { plainLayout, type SiteLayout } from '#readers/layout.ts'
import { readConfig } from '#readers/read-config.ts'
import { readStyleColor } from '#readers/style-colors.ts'
import { readMatter, reportMistake } from '#readers/read-text.ts'
import { asData, asList, asText, trimSlashes, type Data } from '#site/data.ts'
import { findLanguageName } from '#site/language.ts'
import { namePost } from './doc-names.ts'
import { readDocusaurusBrand, type FindTarget } from './brand.ts'
import { readDocusaurusNavigation, type Post } from './navigation.ts'
import { findDocs, findOptions, readBar } from './options.ts'
import { readDocs, type DocsPart, type Locale } from './read-docs.ts'
import { findFirstDoc } from './sidebars.ts'

export const openDocusaurus = async (folder: SourceFolder, base: string): Promise<SiteLayout | null> => {
  const file = findFile(folder, base, 'docusaurus.config.{ts,js,mjs,mts,cjs}')
  if (file === undefined) return null
  // Most sites use the preset, even if the configuration cannot be read.
  const config = asData((await readConfig(folder, file)) ?? { presets: ['classic'] })
  const locales = readLocales(config['i18n'])
  const parts = (await Promise.all(findDocs(config).map((plugin) => readDocs(folder, base, plugin, locales)))).flat()
  const posts = (
    await Promise.all(findOptions(config, 'blog').map((options) => readPosts(folder, base, options)))
  ).flat()
  const names = new Map([
    ...(findOptions(config, 'pages').length > 0 ? readSinglePages(folder, base) : []),
    ...posts.map(({ file: post, name }): [string, string] => [post, name]),
    ...parts.flatMap(({ docs }) => docs.map((doc): [string, string] => [doc.file, doc.name])),
  ])
  if (names.size === 0) {
    reportMistake(folder, file, 'it names no folder of docs that has pages, so it is not used')
    return null
  }
  const statics = asList(config['staticDirectories']).filter((name) => typeof name === 'string')
  const published = (statics.length > 0 ? statics : ['static']).map((name) => `${posix.join(base, name)}/`)
  const place = (value: unknown) => {
    const path = asText(value)?.replace(/^\/+/, '') ?? null
    return path === null ? null : (published.map((root) => root + path).find((name) => folder.files.has(name)) ?? null)
  }
  const logo = asData(asData(asData(config['themeConfig'])['navbar'])['logo'])
  const isProgram = (name: string) =>
    name.startsWith(`${base}src/pages/`) && /(?<!\.(test|spec|d))\.[jt]sx?$/.test(name)
  const gaps: [reason: string, file: string | undefined][] = [
    ['programs below src/pages, such as the landing page, are not run', [...folder.files].find(isProgram)],
    ['the blog has only its pages: no index, dates, authors and tags', posts[0]?.file],
    ['versions are rows of tabs', new Set(parts.map(({ version }) => version.name)).size > 1 ? file : ''],
  ]
  const redirects = new Map([...readRedirects(config['plugins']), ...findFallbacks(parts)])
  return {
    ...plainLayout,
    kind: 'docusaurus',
    dialect: 'docusaurus',
    root: base,
    toPageName: (name) => names.get(name) ?? null,
    title: asText(config['title']),
    description: asText(config['tagline']),
    languages: locales.map(({ name, prefix, htmlLang, direction }) => ({
      prefix: prefix && `${prefix}/`,
      lang: htmlLang ?? name,
      dir: direction,
    })),
    logo: { light: place(logo['src']), dark: place(logo['srcDark']) ?? place(logo['src']) },
    favicon: place(config['favicon']),
    brand: readDocusaurusBrand(config, file, createTargetFinder(parts, posts)),
    colors: await readStyleColor(folder, findStyles(config, base), '--ifm-color-primary'),
    published,
    aliases: new Map([['@site/', base]]),
    redirects,
    leftOut: gaps.flatMap(([reason, place]) => (place ? [{ file: place, reason, kind: 'not-understood' }] : [])),
    readNavigation: (pages, find) => readDocusaurusNavigation({ parts, posts, bar: readBar(config), pages, find }),
  }
}

const findStyles = (config: Data, base: string): string[] =>
  findOptions(config, 'theme')
    .flatMap(({ customCss }) => (Array.isArray(customCss) ? (customCss as unknown[]) : [customCss]))
    .flatMap((name) => asText(name) ?? [])
    .map((name) => posix.join(base, name.replace(/^@site\//, '')))

const createTargetFinder = (parts: readonly DocsPart[], posts: readonly Post[]): FindTarget => {
  const toAddress = (name: string | undefined) => (name === undefined ? null : `/${name.replace(/\.mdx?$/i, '')}`)
  return (kind, name, plugin) => {
    if (kind === 'to') return /^\/?blog\/?$/.test(name) ? toAddress(posts[0]?.name) : null
    const part = parts.find((one) => one.plugin === plugin && one.locale.prefix === '')
    const id = kind === 'doc' ? name : part && findFirstDoc(part.sidebars[name], part)
    return toAddress(part?.docs.find((doc) => doc.id === id)?.name)
  }
}

/** Languages, the default one first. */
const readLocales = (i18n: unknown): Locale[] => {
  const { defaultLocale, locales, localeConfigs } = asData(i18n)
  const first = asText(defaultLocale) ?? 'en'
  const others = asList(locales).filter((name): name is string => typeof name === 'string' && name !== first)
  return [first, ...others].map((name) => {
    const { label, htmlLang, direction } = asData(asData(localeConfigs)[name])
    const prefix = name === first ? '' : name
    return { name, label: asText(label) ?? findLanguageName(name) ?? name, prefix, htmlLang, direction }
  })
}

const readPosts = async (folder: SourceFolder, base: string, options: Data): Promise<Post[]> => {
  const root = `${posix.join(base, asText(options['path']) ?? 'blog')}/`
  const route = asText(options['routeBasePath']) ?? 'blog'
  const files = [...folder.files].filter((file) => file.startsWith(root) && isContent(file))
  const matter = await readMatter(folder, files)
  return files
    .map((file) => ({ file, ...namePost(file.slice(root.length), route, matter.get(file) ?? {}) }))
    .toSorted((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0))
}

/** Markdown below `src/pages`. Other pages there are programs, which are not run. */
const readSinglePages = (folder: SourceFolder, base: string): [string, string][] => {
  const root = `${base}src/pages/`
  return [...folder.files]
    .filter((file) => file.startsWith(root) && isContent(file))
    .map((file): [string, string] => [file, file.slice(root.length)])
}

const isContent = (file: string) => /\.mdx?$/i.test(file) && !file.split('/').some((part) => part.startsWith('_'))

const readRedirects = (plugins: unknown): [string, string][] =>
  asList(plugins).flatMap((plugin) => {
    const [name, options] = asList(plugin)
    if (!asText(name)?.endsWith('plugin-client-redirects')) return []
    return asList(asData(options)['redirects']).flatMap((entry) => {
      const { from, to } = asData(entry)
      const target = asText(to)
      const sources = (Array.isArray(from) ? from : [from]).filter((source: unknown) => typeof source === 'string')
      return target === null ? [] : sources.map((source): [string, string] => [trimSlashes(source), target])
    })
  })

/** Redirects from the addresses of untranslated docs to the default language, whose text Docusaurus shows there. */
const findFallbacks = (parts: readonly DocsPart[]): [string, string][] => {
  const missing = parts
    .filter(({ locale, docs }) => locale.prefix !== '' && docs.length > 0)
    .flatMap(({ locale, plugin, version, docs }) => {
      const known = new Set(docs.map(({ id }) => id))
      const original = parts.find(
        (part) => part.plugin === plugin && part.version === version && part.locale.prefix === '',
      )
      return (original?.docs ?? [])
        .filter(({ id }) => !known.has(id))
        .map(({ name }) => name.replace(/\.mdx?$/i, ''))
        .map((path) => [`${locale.prefix}/${path}`, path] as const)
    })
  return listFallbackRedirects(missing)
}
