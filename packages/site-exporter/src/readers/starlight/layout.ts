import { posix } from 'node:path'
import type { SourceFolder } from '@docket/sources/source-folder'
import GithubSlugger from 'github-slugger'
import { findFile } from '#readers/globs.ts'
import { plainLayout, toFolder, type SiteLayout } from '#readers/layout.ts'
import { readConfig } from '#readers/read-config.ts'
import { readData, readMatter } from '#readers/read-text.ts'
import { asData, asText, isData, trimSlashes, type Data, asList } from '#site/data.ts'
import { parseJson } from '#site/parse-data.ts'
import { readStarlightBrand, readStarlightColors } from './brand.ts'
import { readLocales, readTranslation, type Locale } from './locales.ts'
import { readStarlightSidebar } from './sidebar.ts'
import { listFallbackRedirects } from '#readers/redirects.ts'

/** Opens a Starlight site below `base`: `astro.config.*` with the integration `starlight({ … })`. */
export const openStarlight = async (folder: SourceFolder, base: string): Promise<SiteLayout | null> => {
  const file = findFile(folder, base, 'astro.config.{mjs,ts,js,mts,cjs}')
  if (file === undefined) return null
  const config = asData(await readConfig(folder, file))
  const options = findOptions(config['integrations'], 0)
  if (!options) return null
  const source = base + toFolder(config['srcDir'], 'src/')
  const root = `${source}content/docs/`
  const files = [...folder.files].filter((name) => name.startsWith(root) && isContent(name))
  if (files.length === 0) return null
  const matter = await readMatter(folder, files)
  const names = new Map(files.map((name) => [name, toPageName(name.slice(root.length), matter.get(name))]))
  const locales = readLocales(options)
  const path = trimSlashes(asText(config['base']) ?? '')
  const paths = new Map([...names].map(([name, path]) => [path.replace(/\.mdx?$/i, ''), matter.get(name)!]))
  const published = [`${base}${toFolder(config['publicDir'], 'public/')}`]
  return {
    ...plainLayout,
    kind: 'starlight',
    dialect: 'starlight',
    root,
    toPageName: (name) => names.get(name) ?? null,
    title: readTranslation(options['title'], locales[0]!),
    description: asText(options['description']),
    languages: locales,
    brand: readStarlightBrand(options, root.slice(base.length), file),
    colors: await readStarlightColors(folder, options, base),
    logo: readLogo(options['logo'], base, source),
    favicon: findFavicon(folder, published[0]!, options['favicon']),
    published,
    // Links in pages begin with the path at which the site is published.
    aliases: new Map([...(path ? [[`/${path}/`, '/'] as const] : []), ...(await readAliases(folder, base, source))]),
    redirects: new Map([...readRedirects(config['redirects']), ...findFallbacks([...paths.keys()], locales)]),
    readNavigation: (pages, find) =>
      readStarlightSidebar({ sidebar: options['sidebar'], locales, pages, find, matter: paths }),
  }
}

const findFavicon = (folder: SourceFolder, published: string, own: unknown) =>
  [asText(own), 'favicon.svg', 'favicon.ico', 'favicon.png']
    .map((name) => published + (name ?? '').replace(/^\/+/, ''))
    .find((file) => folder.files.has(file)) ?? null

/** True for file names with a leading underscore, which are only included by pages. */
const isContent = (file: string) => /(^|\/)[^_/][^/]*\.mdx?$/i.test(file)

/** Integrations may be nested and conditional. Only the one of Starlight needs a title. */
const findOptions = (integrations: unknown, depth: number): Data | null => {
  if (Array.isArray(integrations) && depth < 4)
    return integrations.map((entry: unknown) => findOptions(entry, depth + 1)).find((found) => found !== null) ?? null
  const isStarlight = isData(integrations) && (asText(integrations['title']) ?? isData(integrations['title']))
  return isStarlight && isData(integrations) ? integrations : null
}

/** Astro derives slugs from file names, unless the front matter has one. */
const toPageName = (file: string, matter: Data | undefined) => {
  const ending = posix.extname(file)
  const slug = asText(matter?.['slug'])
  if (slug !== null) return `${trimSlashes(slug) || 'index'}${ending}`
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
    return target === null || /[[\]]/.test(from) ? [] : [[trimSlashes(from), target]]
  })

const maxPaths = 40

/** Folders by the prefix of imports: those of the Starlight templates, and `paths` of the project's `tsconfig.json`. */
const readAliases = async (
  folder: SourceFolder,
  base: string,
  source: string,
): Promise<ReadonlyMap<string, string>> => {
  const config = asData(await readData(folder, `${base}tsconfig.json`, parseJson))
  const { baseUrl, paths } = asData(config['compilerOptions'])
  const own = Object.entries(asData(paths))
    .slice(0, maxPaths)
    .flatMap(([pattern, targets]): [string, string][] => {
      const target = asText(asList(targets)[0])
      if (target === null || !/^[^*]{1,80}\/\*$/.test(pattern) || !/^[^*]*\/\*$/.test(target)) return []
      const place = posix.join(base, asText(baseUrl) ?? '.', target.slice(0, -1))
      return /^(\.\.)?\//.test(place) ? [] : [[pattern.slice(0, -1), place]]
    })
  const usual: [string, string][] = [
    ['~/', source],
    ['@/', source],
    ['@assets/', `${source}assets/`],
    ['src/', source],
  ]
  // The longest prefix wins.
  return new Map([...new Map([...usual, ...own])].toSorted(([a], [b]) => b.length - a.length))
}

/** Redirects from the addresses of untranslated pages to the default language, whose text Starlight shows there. */
const findFallbacks = (paths: readonly string[], locales: readonly Locale[]): [string, string][] => {
  const [first, ...others] = locales
  const known = new Set(paths)
  const prefixes = locales.map(({ prefix }) => prefix).filter((prefix) => prefix !== '')
  const isDefault = (path: string) =>
    path.startsWith(first!.prefix) && (first!.prefix !== '' || !prefixes.some((prefix) => path.startsWith(prefix)))
  const missing = paths.filter(isDefault).flatMap((path) => {
    const name = path.slice(first!.prefix.length)
    return others
      .filter(({ prefix }) => !known.has(prefix + name) && name !== '404')
      .map(({ prefix }) => [prefix + name, path] as const)
  })
  return listFallbackRedirects(missing)
}
