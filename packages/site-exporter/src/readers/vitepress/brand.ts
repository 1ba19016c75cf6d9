import { markWord } from '#site/words.ts'
import { toLine } from '@docket/sources/text'
import { isOutside } from '#readers/nav-builder.ts'
import {
  createHtmlText,
  plainBrand,
  formatSettingLine,
  toBarEntries,
  type BarEntry,
  type Brand,
  type BrandLink,
  type BrandText,
} from '#site/brand.ts'
import { asData, asList, asText, isData, type Data, listEntries, maxEntries } from '#site/data.ts'

export const readVitepressBrand = (config: Data, root: string, file: string): Brand => {
  const places = Object.entries(asData(config['locales'])).map(
    ([key, locale]) => [key, asData(asData(locale)['themeConfig'])] as const,
  )
  const locales = places.map(([, locale]) => locale)
  const own = asData(config['themeConfig'])
  // Sites in several languages often have all settings in `locales`.
  const theme = { ...locales.find((locale) => locale['nav'] !== undefined), ...own }
  const logoLink = theme['logoLink']
  const title = theme['siteTitle']
  return {
    ...plainBrand,
    logoHref: asText(logoLink) ?? asText(asData(logoLink)['link']),
    showsDescriptions: false,
    // VitePress shows the name next to the logo.
    hasName: title !== false,
    bar: readBar(theme),
    barSocials: listEntries(theme['socialLinks']).flatMap((item) => {
      const { icon, link, ariaLabel } = asData(item)
      const [name, href] = [asText(icon) ?? toLine(ariaLabel, 40), asText(link)]
      return href === null ? [] : [{ name: name ?? 'Link', href }]
    }),
    globals: listEntries(theme['localeLinks']).flatMap((item) => {
      const link = readLink(item)
      return link ? [{ facet: 'language' as const, ...link }] : []
    }),
    footer: { columns: [], socials: [], texts: readFooter(asData(theme['footer'])) },
    appearance: readAppearance(config['appearance']),
    searchPrompt: toLine(asData(asData(asData(theme['search'])['options'])['translations'])['buttonText'], 60),
    editLink: readEditLink(asData(theme['editLink']), root),
    titleTemplate: readTemplate(config),
    words: readLabels(theme),
    locals: places
      .filter(([key, locale]) => key !== 'root' && locale['nav'] !== undefined)
      .map(([key, locale]) => ({ prefix: `${key}/`, bar: readBar(locale), words: readLabels({ ...own, ...locale }) })),
    file,
    leftOut: listIgnoredSettings(config, theme),
  }
}

const readTemplate = (config: Data): string | null => {
  const [own, name] = [config['titleTemplate'], toLine(config['title'], 100)]
  if (own === false) return ':title'
  const text = toLine(own, 200)
  if (text !== null && text.includes(':title')) return text
  return text === null && name === null ? null : `:title | ${text ?? name}`
}

const readLink = (value: unknown): BrandLink | null => {
  const [label, href] = [toLine(asData(value)['text'], 60)?.replace(/<[^>]*>/g, ''), asText(asData(value)['link'])]
  return label && href !== null ? { label, href: toRootAddress(href), icon: null } : null
}

/** Links of a theme start at the root of the site, even without a leading slash. */
export const toRootAddress = (href: string): string =>
  isOutside(href) || /^[/#?]/.test(href) ? href : `/${href.replace(/^(?:\.{1,2}\/)+/, '')}`

const readBar = (theme: Data) => listEntries(theme['nav']).flatMap(readEntry)

const readLabels = (theme: Data): Brand['words'] => {
  const [outline, foot] = [asData(theme['outline']), asData(theme['docFooter'])]
  return {
    contents: toLine(outline['label'] ?? theme['outlineTitle'], 60),
    previous: toLine(foot['prev'], 60),
    next: toLine(foot['next'], 60),
  }
}

const readEntry = (value: unknown): BarEntry[] => {
  const { text, items } = asData(value)
  // A menu whose name cannot be read, often a computed version, still shows its links.
  return toBarEntries(toLine(text, 60) ?? markWord('other'), listLinks(items, 0), readLink(value))
}

const listLinks = (items: unknown, depth: number): BrandLink[] =>
  depth > 4
    ? []
    : listEntries(items).flatMap((item) => [readLink(item) ?? [], listLinks(asData(item)['items'], depth + 1)].flat())

const readFooter = (footer: Data): BrandText[] => {
  const license = asData(footer['license'])
  const link = readLink(license)
  const texts = [asText(footer['message']), asText(footer['copyright'])].flatMap((text): BrandText[] =>
    text === null ? [] : [createHtmlText(text)],
  )
  return link ? [{ text: `[${link.label}](${link.href})`, notation: 'markdown' }, ...texts] : texts
}

const readAppearance = (value: unknown): Brand['appearance'] => {
  const first = isData(value) ? value['initialValue'] : value
  if (value === false) return { first: 'light', isFixed: true }
  return { first: first === 'dark' || first === 'force-dark' ? 'dark' : 'system', isFixed: first === 'force-dark' }
}

const readEditLink = (link: Data, root: string): Brand['editLink'] => {
  const [pattern, repository] = [asText(link['pattern']), asText(link['repo'])]
  const text = toLine(link['text'], 60)
  if (pattern !== null) return /^https:\/\/[^\s]+:path/.test(pattern) ? { pattern, text } : null
  return repository !== null && /^[\w.-]+\/[\w.-]+$/.test(repository)
    ? { pattern: `https://github.com/${repository}/edit/main/${root}:path`, text }
    : null
}

const honoured = new Set(
  `nav sidebar logo logoLink siteTitle socialLinks footer editLink outline outlineTitle docFooter search localeLinks
sidebarMenuLabel darkModeSwitchLabel lightModeSwitchTitle darkModeSwitchTitle returnToTopLabel langMenuLabel
skipToContentLabel i18n i18nRouting externalLinkIcon`.split(/\s+/),
)

const reasons: Readonly<Record<string, string>> = {
  lastUpdated: 'a copy does not know when a page was changed',
  algolia: 'a copy has a search of its own',
  carbonAds: 'a copy sends nothing to other hosts',
}

const listIgnoredSettings = (config: Data, theme: Data): string[] => {
  const outline = theme['outline']
  return [
    ...Object.keys(theme)
      .filter((key) => !honoured.has(key))
      .map((key) => formatSettingLine(`themeConfig.${key}`, reasons[key])),
    ...(outline !== undefined && (!isData(outline) || 'level' in outline)
      ? [formatSettingLine('themeConfig.outline.level', 'the list of contents has two levels')]
      : []),
    ...(Array.isArray(config['head']) ? [formatSettingLine('head', 'only icons are taken from it')] : []),
    ...(config['lastUpdated'] === true ? [formatSettingLine('lastUpdated', reasons['lastUpdated']!)] : []),
  ].slice(0, maxEntries)
}

export const readFavicon = (head: unknown): string | null =>
  asList(head)
    .map((element) => (Array.isArray(element) && element[0] === 'link' ? asData(element[1]) : {}) as Data)
    .filter(({ rel }) => typeof rel === 'string' && /(^| )icon$/.test(rel))
    .map(({ href }) => asText(href))
    .find((href) => href !== null && !/^(https?:)?\/\//.test(href)) ?? null
