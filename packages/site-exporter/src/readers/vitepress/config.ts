import { posix } from 'node:path'
import type { SourceFolder } from '@docket/sources/source-folder'
import { asData, asList, asText, type Data } from '#site/data.ts'
import type { Brand } from '#site/brand.ts'
import { readFavicon, readVitepressBrand } from './brand.ts'
import { readLiterals } from './literals.ts'

/** Literal settings of a VitePress site. */
export type VitepressConfig = {
  title: string | null
  description: string | null
  /** Folder of the pages with a trailing slash, or `''`. */
  srcDir: string
  srcExclude: string[]
  logo: { light: string | null; dark: string | null }
  favicon: string | null
  brand: Brand
  /** `themeConfig.sidebar` per locale, unchecked. */
  sidebars: { label: string | null; sidebar: unknown }[]
  /** Local links of the top bar; they name the sections of sidebars. */
  nav: { text: string; link: string }[]
}

const names = 'config.ts config.mts config.js config.mjs config/index.ts config/index.mts config/index.js'.split(' ')
const maxBytes = 256 * 1024

/** Reads `.vitepress/config.*` below `base` without running it. Null if missing. */
export const readVitepressConfig = async (folder: SourceFolder, base: string): Promise<VitepressConfig | null> => {
  for (const name of names) {
    const file = `${base}.vitepress/${name}`
    const source = await folder.read(file, maxBytes)
    if (source) return toConfig(asData(readLiterals(source.toString('utf8'))), base, file)
  }
  return null
}

const toConfig = (config: Data, base: string, file: string): VitepressConfig => {
  const theme = asData(config['themeConfig'])
  const locales = Object.values(asData(config['locales'])).map((locale) => asData(locale))
  const localized = locales
    .map((locale) => ({ label: asText(locale['label']), sidebar: asData(locale['themeConfig'])['sidebar'] }))
    .filter(({ sidebar }) => sidebar !== undefined)
  const srcDir = posix.normalize(asText(config['srcDir']) ?? '.').replace(/^(\.?\/)+|^\.$|\/+$/g, '')
  const logo = asData(theme['logo'])
  const light = asText(theme['logo']) ?? asText(logo['light']) ?? asText(logo['src'])
  const root = srcDir === '' || srcDir.startsWith('..') ? '' : `${srcDir}/`
  return {
    title: asText(config['title']),
    description: asText(config['description']),
    srcDir: root,
    srcExclude: asList(config['srcExclude']).filter((glob) => typeof glob === 'string'),
    logo: { light, dark: asText(logo['dark']) ?? light },
    favicon: readFavicon(config['head']),
    brand: readVitepressBrand(config, base + root, file),
    sidebars: localized.length > 0 ? localized : [{ label: null, sidebar: theme['sidebar'] }],
    nav: [theme, ...locales.map((locale) => asData(locale['themeConfig']))].flatMap(({ nav }) => listLinks(nav, 0)),
  }
}

const listLinks = (items: unknown, depth: number): VitepressConfig['nav'] =>
  asList(items).flatMap((item) => {
    const { text, link, items: inner } = asData(item)
    const own = asText(text) && asText(link)?.startsWith('/') ? [{ text: asText(text)!, link: asText(link)! }] : []
    return depth > 4 ? own : [...own, ...listLinks(inner, depth + 1)]
  })
