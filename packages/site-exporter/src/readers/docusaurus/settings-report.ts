import { settingLine } from '#site/brand.ts'
import { asData, asList, asText, type Data } from '#site/data.ts'
import { findOptions, listPlugins } from './options.ts'

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

/** Plugins and themes whose work the export does itself, or that change no page. */
const known =
  /(^|[/-])(preset-)?classic$|plugin-(content-(docs|blog|pages)|client-redirects|sitemap|debug|svgr|ideal-image)$|theme-(mermaid|classic|common)$|search/

/** Lists the settings that a copy does not honour, each once. */
export const listLeftOut = (config: Data): string[] => {
  const isGiven = (value: unknown) => value !== undefined && value !== null && value !== false
  const settings = Object.entries(honoured).flatMap(([place, names]) => {
    const own = place.split('.').reduce<Data>((data, key) => asData(data[key]), config)
    return Object.keys(own)
      .filter((key) => isGiven(own[key]) && !names.split(' ').includes(key))
      .map((key) => settingLine(`${place}.${key}`, reasons[`${place}.${key}`] ?? 'copies do not know it'))
  })
  const theme = asData(config['themeConfig'])
  const html = asList(asData(theme['navbar'])['items']).some((item) => asData(item)['type'] === 'html')
  const isComputed = findOptions(config, 'docs').some(
    (options) => 'editUrl' in options && asText(options['editUrl']) === null,
  )
  return [
    ...settings,
    ...(html ? [settingLine('themeConfig.navbar.items', 'an entry is HTML')] : []),
    ...(isComputed ? [settingLine('editUrl', 'its value would have to be computed')] : []),
    ...['scripts', 'clientModules', 'headTags', 'stylesheets']
      .filter((key) => asList(config[key]).length > 0)
      .map((key) => settingLine(key, 'a copy loads only what is in it')),
    ...listPlugins(config)
      .filter(({ name }) => !known.test(name))
      .map(({ name }) => settingLine(name, 'plugins and themes do not run')),
  ].slice(0, 60)
}
