import { toLine } from '@docket/sources/text'
import type { SourceFolder } from '@docket/sources/source-folder'
import { readStyleColor } from '#readers/style-colors.ts'
import { plainBrand, readMetatags, formatSettingLine, type Brand, type Pair, type Social } from '#site/brand.ts'
import { asData, asList, asText, isData, type Data, maxEntries } from '#site/data.ts'

const theme = `:root { --sl-color-accent-high: #bdc3ff; } :root[data-theme='light'] { --sl-color-accent: #3d50f5; }`

/** `root` is the folder of the pages within the project. */
export const readStarlightBrand = (options: Data, root: string, file: string): Brand => {
  const pattern = asText(asData(options['editLink'])['baseUrl'])
  const isEditable = pattern !== null && /^https:\/\/[^\s]+$/.test(pattern)
  return {
    ...plainBrand,
    // The logo is shown next to the title or replaces it.
    hasName: asData(options['logo'])['replacesTitle'] !== true,
    showsDescriptions: false,
    barSocials: readSocials(options['social']),
    metatags: readMetatags(Object.fromEntries(asList(options['head']).flatMap(readMeta))),
    titleTemplate: readTemplate(options),
    editLink: isEditable ? { pattern: `${pattern.replace(/\/*$/, '/')}${root}:path`, text: null } : null,
    file,
    leftOut: listIgnoredSettings(options),
  }
}

const readTemplate = (options: Data): string | null => {
  const [name, delimiter] = [toLine(options['title'], 100), toLine(options['titleDelimiter'], 10)]
  return name === null ? null : `:title ${delimiter ?? '|'} ${name}`
}

/** Reads the accents of the style sheets that the configuration names. Rules without a theme apply to dark pages. */
export const readStarlightColors = async (folder: SourceFolder, options: Data, base: string): Promise<Pair> => {
  const styles = listStyles(options).map((name) => base + name.replace(/^\.?\//, ''))
  const read = (property: string) => readStyleColor(folder, styles, property, { usual: 'dark', theme })
  const [accent, high] = [await read('--sl-color-accent'), await read('--sl-color-accent-high')]
  return { light: accent.light, dark: high.dark }
}

const listStyles = (options: Data) => asList(options['customCss']).flatMap((name) => asText(name) ?? [])

const readSocials = (social: unknown): Social[] => {
  const items = isData(social)
    ? Object.entries(social).map(([icon, href]) => ({ icon, href }))
    : asList(social).map((item) => ({ icon: asData(item)['icon'], href: asData(item)['href'] }))
  return items.slice(0, maxEntries).flatMap(({ icon, href }) => {
    const address = asText(href)
    return address === null ? [] : [{ name: toLine(icon, 40) ?? 'Link', href: address }]
  })
}

const readMeta = (element: unknown): [string, unknown][] => {
  const { tag, attrs } = asData(element)
  const { property, name, content } = asData(attrs)
  const key = asText(property) ?? asText(name)
  return tag === 'meta' && key !== null ? [[key, content]] : []
}

const honoured = new Set(
  `title description logo social editLink sidebar locales defaultLocale favicon customCss
pagefind titleDelimiter prerender disable404Route markdown`.split(/\s+/),
)

const reasons: Readonly<Record<string, string>> = {
  lastUpdated: 'a copy does not know when a page was changed',
  components: 'components of a project do not run',
  plugins: 'plugins do not run',
  routeMiddleware: 'it would have to run',
}

const listIgnoredSettings = (options: Data): string[] => {
  const isGiven = (value: unknown) => value !== undefined && value !== false && !(Array.isArray(value) && !value.length)
  const isMeta = (element: unknown) => asData(element)['tag'] === 'meta'
  return [
    ...Object.keys(options)
      .filter((key) => key !== 'head' && !honoured.has(key) && isGiven(options[key]))
      .map((key) => formatSettingLine(key, reasons[key])),
    ...(asList(options['head']).every(isMeta) ? [] : [formatSettingLine('head', 'only metadata is taken from it')]),
    ...(listStyles(options).length > 0 ? [formatSettingLine('customCss', 'only its accent colours are read')] : []),
  ].slice(0, maxEntries)
}
