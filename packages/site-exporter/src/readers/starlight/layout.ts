import { posix } from 'node:path'
import type { SourceFolder } from '@docket/sources/source-folder'
import GithubSlugger from 'github-slugger'
import { plainLayout, type SiteLayout } from '#readers/layout.ts'
import { joinModules } from '#readers/modules/join-modules.ts'
import { readMatter } from '#readers/read-matter.ts'
import { readLiterals } from '@docket/mdx-language/read-literals'
import { asData, asText, isData, type Data } from '#site/data.ts'
import { readAliases } from './aliases.ts'
import { readStarlightBrand, readStarlightColors } from './brand.ts'
import { findFallbacks } from './fallbacks.ts'
import { readLocales, textFor } from './locales.ts'
import { readStarlightSidebar } from './sidebar.ts'

/** Opens a Starlight site below `base`: `astro.config.*` with the integration `starlight({ … })`. */
export const openStarlight = async (folder: SourceFolder, base: string): Promise<SiteLayout | null> => {
  const file = ['mjs', 'ts', 'js', 'mts', 'cjs'].map((ending) => `${base}astro.config.${ending}`).find(isIn(folder))
  if (file === undefined) return null
  const config = asData(readLiterals((await joinModules(folder, file)) ?? ''))
  const options = findOptions(config['integrations'], 0)
  if (!options) return null
  const source = base + toFolder(config['srcDir'], 'src/')
  const root = `${source}content/docs/`
  const files = [...folder.files].filter((name) => name.startsWith(root) && isContent(name))
  if (files.length === 0) return null
  const matter = await readMatter(folder, files)
  const names = new Map(files.map((name) => [name, toPageName(name.slice(root.length), matter.get(name))]))
  const locales = readLocales(options)
  const paths = new Map([...names].map(([name, path]) => [path.replace(/\.mdx?$/i, ''), matter.get(name)!]))
  const published = [`${base}${toFolder(config['publicDir'], 'public/')}`]
  return {
    ...plainLayout,
    kind: 'starlight',
    dialect: 'starlight',
    root,
    toPageName: (name) => names.get(name) ?? null,
    title: textFor(options['title'], locales[0]!),
    description: asText(options['description']),
    brand: readStarlightBrand(options, root.slice(base.length), file),
    colors: await readStarlightColors(folder, options, base),
    logo: readLogo(options['logo'], base, source),
    favicon: findFavicon(folder, published[0]!, options['favicon']),
    published,
    aliases: await readAliases(folder, base, source),
    redirects: new Map([...readRedirects(config['redirects']), ...findFallbacks([...paths.keys()], locales)]),
    readNavigation: (pages) => readStarlightSidebar({ sidebar: options['sidebar'], locales, pages, matter: paths }),
  }
}

const findFavicon = (folder: SourceFolder, published: string, own: unknown) =>
  [asText(own), 'favicon.svg', 'favicon.ico', 'favicon.png']
    .map((name) => published + (name ?? '').replace(/^\/+/, ''))
    .find(isIn(folder)) ?? null

const isIn = (folder: SourceFolder) => (file: string) => folder.files.has(file)

/** File names with a leading underscore are for inclusion. */
const isContent = (file: string) => /(^|\/)[^_/][^/]*\.mdx?$/i.test(file)

/** Integrations may be nested and conditional. Only the one of Starlight needs a title. */
const findOptions = (integrations: unknown, depth: number): Data | null => {
  if (Array.isArray(integrations) && depth < 4)
    return integrations.map((entry: unknown) => findOptions(entry, depth + 1)).find((found) => found !== null) ?? null
  const isStarlight = isData(integrations) && (asText(integrations['title']) ?? isData(integrations['title']))
  return isStarlight && isData(integrations) ? integrations : null
}

const toFolder = (value: unknown, usual: string) => {
  const folder = posix.normalize(asText(value) ?? usual).replace(/^(\.?\/)+|\/+$/g, '')
  return folder === '' || folder.startsWith('..') ? usual : `${folder}/`
}

/** Astro makes slugs of file names, unless the front matter has one. */
const toPageName = (file: string, matter: Data | undefined) => {
  const ending = posix.extname(file)
  const slug = asText(matter?.['slug'])
  if (slug !== null) return `${slug.replace(/^\/+|\/+$/g, '') || 'index'}${ending}`
  const slugger = new GithubSlugger()
  const parts = file.slice(0, -ending.length).split('/')
  return `${parts.map((part) => (slugger.reset(), slugger.slug(part)) || part).join('/')}${ending}`
}

const readLogo = (logo: unknown, base: string, source: string): SiteLayout['logo'] => {
  const place = (value: unknown) => {
    const path = asText(value)
    if (path === null) return null
    return path.startsWith('~/') ? source + path.slice(2) : base + posix.normalize(path).replace(/^(\.?\/)+/, '')
  }
  const { src, light, dark } = asData(logo)
  return { light: place(light) ?? place(src) ?? place(dark), dark: place(dark) ?? place(src) ?? place(light) }
}

const readRedirects = (redirects: unknown) =>
  Object.entries(asData(redirects)).flatMap(([from, to]): [string, string][] => {
    const target = asText(to) ?? asText(asData(to)['destination'])
    return target === null || /[[\]]/.test(from) ? [] : [[from.replace(/^\/+|\/+$/g, ''), target]]
  })
