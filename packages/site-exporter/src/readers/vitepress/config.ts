import type { SourceFolder } from '@docket/sources/source-folder'
import type { DeclaredLanguage } from '#site/language.ts'
import { asData, asList, asText, trimSlashes, type Data } from '#site/data.ts'
import { toFolder } from '#readers/layout.ts'
import { readConfig } from '#readers/read-config.ts'
import type { Brand } from '#site/brand.ts'
import { toRootAddress, readFavicon, readVitepressBrand } from './brand.ts'
import type { Rewrite } from './rewrites.ts'

export type VitepressConfig = {
  title: string | null
  description: string | null
  languages: DeclaredLanguage[]
  /** Folder of the pages with a trailing slash, or `''`. */
  srcDir: string
  srcExclude: string[]
  rewrites: Rewrite[]
  logo: { light: string | null; dark: string | null }
  favicon: string | null
  brand: Brand
  /** `themeConfig.sidebar` and home page per locale, unchecked. */
  sidebars: { label: string | null; home: string; sidebar: unknown }[]
  /** Local links of the top bar, from which sidebar sections get their titles. */
  nav: { text: string; link: string }[]
}

const names = 'config.ts config.mts config.js config.mjs config/index.ts config/index.mts config/index.js'.split(' ')
/** Reads `.vitepress/config.*` below `base`, and `config.*` in the folders of its languages, without running them. Null if missing. */
export const readVitepressConfig = async (folder: SourceFolder, base: string): Promise<VitepressConfig | null> => {
  const found = await readFirstConfig(folder, `${base}.vitepress/`)
  if (!found) return null
  const { file, data: config } = found
  const root = base + toFolder(config['srcDir'])
  const locales = Object.entries(asData(config['locales']))
  const added = await Promise.all(
    locales.map(async ([key, locale]) => {
      const places = key === 'root' ? [root, `${root}en/`] : [`${root}${key}/`]
      const isComplete = asData(asData(locale)['themeConfig'])['sidebar'] !== undefined
      const more = isComplete ? [] : await Promise.all(places.map((place) => readFirstConfig(folder, place)))
      return [key, { ...asData(locale), ...more.find((one) => one?.data['themeConfig'] !== undefined)?.data }] as const
    }),
  )
  return toConfig({ ...config, ...(locales.length > 0 && { locales: Object.fromEntries(added) }) }, base, file)
}

const readFirstConfig = async (folder: SourceFolder, place: string): Promise<{ file: string; data: Data } | null> => {
  for (const name of names) {
    const file = place + name
    const data = await readConfig(folder, file)
    if (data !== undefined) return { file, data: asData(data) }
  }
  return null
}

const toConfig = (config: Data, base: string, file: string): VitepressConfig => {
  const theme = asData(config['themeConfig'])
  const places = Object.entries(asData(config['locales'])).map(([key, locale]) => ({ key, locale: asData(locale) }))
  const locales = places.map(({ locale }) => locale)
  const localized = places
    .map(({ key, locale }) => ({
      label: asText(locale['label']),
      home: key === 'root' ? 'index' : `${key}/index`,
      sidebar: asData(locale['themeConfig'])['sidebar'],
    }))
    .filter(({ sidebar }) => sidebar !== undefined)
  const logo = asData(theme['logo'])
  const light = asText(theme['logo']) ?? asText(logo['light']) ?? asText(logo['src'])
  const root = toFolder(config['srcDir'])
  return {
    title: asText(config['title']),
    description: asText(config['description']),
    languages: [
      ...places
        .filter(({ key }) => key !== 'root')
        .map(({ key, locale }) => ({ prefix: `${trimSlashes(key)}/`, ...readLanguage(locale, key) })),
      { prefix: '', ...readLanguage({ ...config, ...places.find(({ key }) => key === 'root')?.locale }) },
    ],
    srcDir: root,
    srcExclude: asList(config['srcExclude']).filter((glob) => typeof glob === 'string'),
    rewrites: Object.entries(asData(config['rewrites'])).flatMap(([from, to]) =>
      typeof to === 'string' ? [{ from, to }] : [],
    ),
    logo: { light, dark: asText(logo['dark']) ?? light },
    favicon: readFavicon(config['head']),
    brand: readVitepressBrand(config, base + root, file),
    sidebars: localized.length > 0 ? localized : [{ label: null, home: 'index', sidebar: theme['sidebar'] }],
    nav: [theme, ...locales.map((locale) => asData(locale['themeConfig']))].flatMap(({ nav }) => listLinks(nav, 0)),
  }
}

const readLanguage = ({ lang, dir }: Data, otherwise?: string) => ({ lang: lang ?? otherwise, dir })

const listLinks = (items: unknown, depth: number): VitepressConfig['nav'] =>
  asList(items).flatMap((item) => {
    const { text, link, items: inner } = asData(item)
    const [name, address] = [asText(text), toRootAddress(asText(link) ?? '#')]
    const own = name !== null && address.startsWith('/') ? [{ text: name, link: address }] : []
    return depth > 4 ? own : [...own, ...listLinks(inner, depth + 1)]
  })
