import { posix } from 'node:path'
import { toLine } from '@docket/sources/text'
import {
  createHtmlText,
  plainBrand,
  readMetatags,
  type BarEntry,
  type Brand,
  type BrandLink,
  type BrandText,
  formatSettingLine,
  toBarEntries,
} from '#site/brand.ts'
import { asData, asList, asText, isData, type Data, listEntries } from '#site/data.ts'
import { findOptions, listPlugins } from './options.ts'

/** Address of a doc, of the first doc in a sidebar, or of a blog; null for an unknown one. */
export type FindTarget = (kind: 'doc' | 'docSidebar' | 'to', name: string, plugin: string) => string | null

export const readDocusaurusBrand = (config: Data, file: string, findTarget: FindTarget): Brand => {
  const theme = asData(config['themeConfig'])
  const bar = asData(theme['navbar'])
  const items = listEntries(bar['items']).filter(isData)
  const [left, right] = [items.filter((item) => item['position'] !== 'right'), items.filter(isRight)]
  const image = asText(theme['image'])
  return {
    ...plainBrand,
    logoHref: asText(asData(bar['logo'])['href']),
    hasName: asText(bar['title']) !== null,
    showsDescriptions: false,
    bar: [...left, ...right].flatMap((item) => readEntry(item, findTarget)),
    barSocials: items.flatMap(readSocial),
    footer: { columns: readColumns(asData(theme['footer']), findTarget), socials: [], texts: readTexts(theme) },
    banner: readBanner(asData(theme['announcementBar'])),
    appearance: readAppearance(asData(theme['colorMode'])),
    metatags: readMetatags({
      ...(image === null ? {} : { 'og:image': `/${image.replace(/^\/+/, '')}` }),
      ...Object.fromEntries(
        asList(theme['metadata']).flatMap((tag) => {
          const name = asText(asData(tag)['name']) ?? asText(asData(tag)['property'])
          return name === null ? [] : [[name, asData(tag)['content']]]
        }),
      ),
    }),
    editLink: readEditLink(config),
    file,
    leftOut: listIgnoredSettings(config),
  }
}

const isRight = (item: Data) => item['position'] === 'right'

const readLink = (item: Data, findTarget: FindTarget): BrandLink | null => {
  const type = asText(item['type'])
  const plugin = asText(item['docsPluginId']) ?? 'default'
  const [sidebar, doc, to] = [asText(item['sidebarId']), asText(item['docId']), asText(item['to'])]
  const label = toLine(item['label'], 60) ?? (doc === null ? null : toLine(posix.basename(doc), 60))
  const href =
    type === 'docSidebar' && sidebar !== null
      ? findTarget('docSidebar', sidebar, plugin)
      : type === 'doc' && doc !== null
        ? findTarget('doc', doc, plugin)
        : to === null
          ? (asText(item['href'])?.replace(/^pathname:\/\//, '') ?? null)
          : (findTarget('to', to, plugin) ?? to)
  return label !== null && href !== null ? { label, href, icon: null } : null
}

const readEntry = (item: Data, findTarget: FindTarget): BarEntry[] => {
  const links = listEntries(item['items']).flatMap((inner) => readLink(asData(inner), findTarget) ?? [])
  return toBarEntries(toLine(item['label'], 60), links, readLink(item, findTarget))
}

const places = ['github', 'discord', 'twitter', 'x', 'slack', 'mastodon', 'linkedin', 'youtube', 'bluesky', 'gitlab']

/** A link without a label shows an icon, named by its class or its `aria-label`. */
const readSocial = (item: Data): Brand['barSocials'] => {
  const href = asText(item['href'])
  if (href === null || toLine(item['label'], 60) !== null) return []
  const words = `${asText(item['className']) ?? ''} ${asText(item['aria-label']) ?? ''}`.toLowerCase().split(/[^a-z]+/)
  const name = places.find((place) => words.includes(place)) ?? toLine(item['aria-label'], 40)
  return name === null ? [] : [{ name, href }]
}

const readColumns = (footer: Data, findTarget: FindTarget): Brand['footer']['columns'] => {
  const entries = listEntries(footer['links']).filter(isData)
  const columns = entries.filter((entry) => Array.isArray(entry['items']))
  const single = entries.filter((entry) => !Array.isArray(entry['items']))
  return [...columns, ...(single.length > 0 ? [{ title: null, items: single }] : [])]
    .slice(0, 12)
    .map((column) => ({
      title: toLine(column['title'], 60),
      links: listEntries(column['items']).flatMap((item) => readLink(asData(item), findTarget) ?? []),
    }))
    .filter(({ links }) => links.length > 0)
}

const readTexts = (theme: Data): BrandText[] => {
  const footer = asData(theme['footer'])
  const items = asList(footer['links']).flatMap((column) => [column, ...asList(asData(column)['items'])])
  const texts = [...items.map((item) => asData(item)['html']), footer['copyright']].flatMap(
    (text) => asText(text) ?? [],
  )
  // A picture alone has no text.
  return texts.filter((text) => text.replace(/<[^<>]*>/g, '').trim() !== '').map(createHtmlText)
}

const readBanner = (bar: Data): Brand['banner'] => {
  const content = asText(bar['content'])
  return content === null
    ? null
    : { text: createHtmlText(content), isDismissible: bar['isCloseable'] !== false, tone: 'info' }
}

/** Pages are light by default. */
const readAppearance = (mode: Data): Brand['appearance'] => ({
  first: mode['respectPrefersColorScheme'] === true ? 'system' : mode['defaultMode'] === 'dark' ? 'dark' : 'light',
  isFixed: mode['disableSwitch'] === true,
})

/** Docusaurus joins the address of the repository and the path within the project. */
const readEditLink = (config: Data): Brand['editLink'] => {
  const [address] = findOptions(config, 'docs').flatMap((options) => asText(options['editUrl']) ?? [])
  return address !== undefined && /^https:\/\/\S+$/.test(address)
    ? { pattern: `${address.replace(/\/+$/, '')}/:path`, text: null }
    : null
}

const honoured: Readonly<Record<string, string>> = {
  themeConfig: 'navbar footer announcementBar colorMode image metadata prism docs tableOfContents',
  'themeConfig.navbar': 'title logo items',
  'themeConfig.footer': 'links copyright style',
  'themeConfig.announcementBar': 'id content isCloseable',
  'themeConfig.docs': 'versionPersistence sidebar',
}

const reasons: Readonly<Record<string, string>> = {
  'themeConfig.algolia': 'a copy has a search of its own',
  'themeConfig.footer.logo': 'the footer shows words and links',
  'themeConfig.announcementBar.backgroundColor': 'it has the colours of the site',
  'themeConfig.announcementBar.textColor': 'it has the colours of the site',
  'themeConfig.navbar.hideOnScroll': 'the top bar stays',
  'themeConfig.navbar.style': 'the top bar has the colours of the site',
}

/** Plugins and themes whose features the export provides itself, or that change no page. */
const known =
  /(^|[/-])(preset-)?classic$|plugin-(content-(docs|blog|pages)|client-redirects|sitemap|debug|svgr|ideal-image)$|theme-(mermaid|classic|common)$|search/

const listIgnoredSettings = (config: Data): string[] => {
  const isGiven = (value: unknown) => value !== undefined && value !== null && value !== false
  const settings = Object.entries(honoured).flatMap(([place, names]) => {
    const own = place.split('.').reduce<Data>((data, key) => asData(data[key]), config)
    return Object.keys(own)
      .filter((key) => isGiven(own[key]) && !names.split(' ').includes(key))
      .map((key) => formatSettingLine(`${place}.${key}`, reasons[`${place}.${key}`]))
  })
  const theme = asData(config['themeConfig'])
  const html = asList(asData(theme['navbar'])['items']).some((item) => asData(item)['type'] === 'html')
  return [
    ...settings,
    ...(html ? [formatSettingLine('themeConfig.navbar.items', 'an entry is HTML')] : []),
    ...['scripts', 'clientModules', 'headTags', 'stylesheets']
      .filter((key) => asList(config[key]).length > 0)
      .map((key) => formatSettingLine(key, 'a copy loads only what is in it')),
    ...listPlugins(config)
      .filter(({ name }) => !known.test(name))
      .map(({ name }) => formatSettingLine(name, 'plugins and themes do not run')),
  ].slice(0, 60)
}
