import { toLine } from '@docket/sources/text'
import {
  createFont,
  createHtmlText,
  plainBrand,
  readMetatags,
  type BarEntry,
  type Brand,
  type BrandFont,
  type BrandLink,
  parseColor,
  readPair,
  toBarEntries,
} from '#site/brand.ts'
import { asData, asList, asText, type Data, listEntries, maxEntries } from '#site/data.ts'
import { listIgnoredSettings } from './settings-report.ts'

export const readBrand = (data: Data, file: string): Brand => {
  const bar = asData(data['navbar'])
  const notFound = asData(asData(data['errors'])['404'])
  const appearance = asData(data['appearance'])
  const first = appearance['default']
  const styling = asData(data['styling'])
  const options = asData(data['contextual'])['options']
  return {
    ...plainBrand,
    logoHref: asText(asData(data['logo'])['href']),
    bar: listEntries(bar['links']).flatMap(readBarEntry),
    button: readBarLink(bar['primary']),
    globals: readGlobals(asData(asData(data['navigation'])['global'])),
    footer: readFooter(asData(data['footer'])),
    banner: readBanner(data['banner']),
    background: readBackground(asData(data['background'])),
    fonts: readFonts(data['fonts']),
    appearance: {
      first: first === 'light' || first === 'dark' ? first : 'system',
      isFixed: appearance['strict'] === true,
    },
    notFound: {
      title: toLine(notFound['title'], 100),
      description: toLine(notFound['description'], 1_000),
      leadsHome: notFound['redirect'] === true,
    },
    metatags: readMetatags(asData(asData(data['seo'])['metatags'])),
    searchPrompt: toLine(asData(data['search'])['prompt'], 60),
    hasDarkCode: styling['codeblocks'] === 'dark',
    trail: styling['eyebrows'] === 'section' ? 'section' : 'breadcrumbs',
    copiesPages: !Array.isArray(options) || options.includes('copy'),
    file,
    leftOut: listIgnoredSettings(data),
  }
}

/** Reads a link with a label, or one whose label follows from its `type`. */
const readBarLink = (value: unknown): BrandLink | null => {
  const link = asData(value)
  const href = asText(link['href'])
  const type = asText(link['type'])
  const label = toLine(link['label'], 60) ?? (type === null ? null : nameType(type, href ?? ''))
  const icon = asText(link['icon']) ?? asText(asData(link['icon'])['name']) ?? type
  return label !== null && href !== null ? { label, href, icon: icon === 'button' ? null : icon } : null
}

const nameType = (type: string, href: string) =>
  type === 'github'
    ? (/github\.com\/([\w.-]+\/[\w.-]+)/.exec(href)?.[1] ?? 'GitHub')
    : type === 'discord'
      ? 'Discord'
      : null

const readBarEntry = (value: unknown): BarEntry[] => {
  const { label, links, items } = asData(value)
  const inner = listEntries(links ?? items).flatMap((link) => readBarLink(link) ?? [])
  return toBarEntries(toLine(label, 60), inner, readBarLink(value))
}

const globalFacets = ['anchor', 'tab', 'dropdown', 'version', 'product', 'language'] as const

const readGlobals = (globals: Data): Brand['globals'] =>
  globalFacets.flatMap((facet) =>
    listEntries(globals[`${facet}s`]).flatMap((item): Brand['globals'] => {
      const [label, href] = [toLine(asData(item)[facet], 60), asText(asData(item)['href'])]
      return label !== null && href !== null ? [{ facet, label, href, icon: asText(asData(item)['icon']) }] : []
    }),
  )

const readFooter = (footer: Data): Brand['footer'] => ({
  columns: asList(footer['links'])
    .slice(0, 12)
    .map((column) => ({
      title: toLine(asData(column)['header'], 60),
      links: listEntries(asData(column)['items']).flatMap((item): BrandLink[] => {
        const [label, href] = [toLine(asData(item)['label'], 600), asText(asData(item)['href'])]
        return label !== null && href !== null ? [{ label, href, icon: null }] : []
      }),
    }))
    .filter(({ links }) => links.length > 0),
  socials: Object.entries(asData(footer['socials']))
    .slice(0, maxEntries)
    .flatMap(([name, href]) => (asText(href) === null ? [] : [{ name: name.slice(0, 40), href: asText(href)! }])),
  texts: [],
})

const bannerTones: ReadonlyMap<unknown, 'warning' | 'danger'> = new Map([
  ['warning', 'warning'],
  ['critical', 'danger'],
])

const readBanner = (value: unknown): Brand['banner'] => {
  const content = asText(asData(value)['content'])
  return content === null
    ? null
    : {
        text: { ...createHtmlText(content), notation: 'markdown' },
        isDismissible: asData(value)['dismissible'] === true,
        tone: bannerTones.get(asData(value)['type']) ?? 'info',
      }
}

const readBackground = (background: Data): Brand['background'] => {
  const color = asData(background['color'])
  const decoration = background['decoration']
  return {
    color: { light: parseColor(color['light']), dark: parseColor(color['dark']) },
    image: readPair(background['image']),
    decoration: decoration === 'gradient' || decoration === 'grid' || decoration === 'windows' ? decoration : null,
  }
}

const readFonts = (value: unknown): Brand['fonts'] => {
  const [all, own] = [readFont(value), asData(value)]
  return { heading: readFont(own['heading']) ?? all, body: readFont(own['body']) ?? all }
}

const readFont = (value: unknown): BrandFont | null => {
  const { family, source, weight } = asData(value)
  const isWeight = (typeof weight === 'number' || typeof weight === 'string') && /^[1-9]\d{2}$/.test(String(weight))
  return createFont(family, asText(source), isWeight ? String(weight) : null)
}
