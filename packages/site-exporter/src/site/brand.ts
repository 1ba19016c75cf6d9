import { toLine } from '@docket/sources/text'
import { asData, asText, isData } from './data.ts'

export type BrandLink = { label: string; href: string; icon: string | null }

export type BarEntry = BrandLink | { label: string; links: BrandLink[] }

/** A menu, or a link without one. */
export const toBarEntries = (label: string | null, links: BrandLink[], link: BrandLink | null): BarEntry[] =>
  label !== null && links.length > 0 ? [{ label, links }] : link ? [link] : []

export type Social = { name: string; href: string }

export type Pair = { light: string | null; dark: string | null }

/** Font of the owner. `source` is null for a family that must be installed on the reader's device. */
export type BrandFont = { family: string; source: string | null; weight: string | null }

/** Parts of a site between which a reader switches. Links of the top bar lead to a `section`. */
export type Facet = 'tab' | 'section' | 'anchor' | 'dropdown' | 'version' | 'product' | 'language'

/** Font names that are safe inside quotes of a style sheet. */
const familyName = /^[\p{L}\p{N}][\p{L}\p{N} _-]{0,60}$/u

export const createFont = (name: unknown, source: string | null, weight: string | null): BrandFont | null => {
  const family = asText(name)
  return family !== null && familyName.test(family) ? { family, source, weight } : null
}

export type BrandText = { text: string; notation: 'markdown' | 'html' }

/** Maximum length of a text from the owner. Characters. */
const maxText = 2_000

/** HTML from the owner, cut to a length that every page can repeat. */
export const createHtmlText = (text: string): BrandText => ({
  text: text.slice(0, maxText).toWellFormed(),
  notation: 'html',
})

export const formatSettingLine = (name: string, reason = 'copies do not know it'): string =>
  `the setting \`${name.slice(0, 80)}\`: ${reason}`

type FrameLabels = { contents: string | null; previous: string | null; next: string | null }

export type Brand = {
  /** Null links to the first page. */
  logoHref: string | null
  /** False when the logo is shown without the site name. */
  hasName: boolean
  bar: BarEntry[]
  /** Colours of the top bar; null for the background of the page. */
  barColor: Pair
  button: BrandLink | null
  barSocials: Social[]
  globals: (BrandLink & { facet: Facet })[]
  footer: { columns: { title: string | null; links: BrandLink[] }[]; socials: Social[]; texts: BrandText[] }
  banner: { text: BrandText; isDismissible: boolean; tone: 'info' | 'warning' | 'danger' } | null
  background: { color: Pair; image: Pair; decoration: 'gradient' | 'grid' | 'windows' | null }
  fonts: { heading: BrandFont | null; body: BrandFont | null }
  appearance: { first: 'system' | 'light' | 'dark'; isFixed: boolean }
  notFound: { title: string | null; description: string | null; leadsHome: boolean }
  metatags: [string, string][]
  searchPrompt: string | null
  hasDarkCode: boolean
  /** `section` shows only the innermost group. */
  trail: 'section' | 'breadcrumbs'
  copiesPages: boolean
  showsDescriptions: boolean
  /** Address in which `:path` stands for the file of a page. The text is null for the usual one. */
  editLink: { pattern: string; text: string | null } | null
  /** Title in the browser's title bar, in which `:title` stands for the title of a page; null for the default. */
  titleTemplate: string | null
  words: FrameLabels
  /** Top bars and texts of other languages, by the prefix of their paths, such as `de/`. */
  locals: { prefix: string; bar: BarEntry[]; words: FrameLabels }[]
  /** File with the settings, or `''`. */
  file: string
  leftOut: string[]
}

export const findLocalBrand = (brand: Brand, path: string): Pick<Brand, 'bar' | 'words'> =>
  brand.locals.find(({ prefix }) => path.startsWith(prefix)) ?? brand

export const plainBrand: Brand = {
  logoHref: null,
  hasName: false,
  bar: [],
  barColor: { light: null, dark: null },
  button: null,
  barSocials: [],
  globals: [],
  footer: { columns: [], socials: [], texts: [] },
  banner: null,
  background: { color: { light: null, dark: null }, image: { light: null, dark: null }, decoration: null },
  fonts: { heading: null, body: null },
  appearance: { first: 'system', isFixed: false },
  notFound: { title: null, description: null, leadsHome: false },
  metatags: [],
  searchPrompt: null,
  hasDarkCode: false,
  trail: 'breadcrumbs',
  copiesPages: true,
  showsDescriptions: true,
  editLink: null,
  titleTemplate: null,
  words: { contents: null, previous: null, next: null },
  locals: [],
  file: '',
  leftOut: [],
}

export const listBarLinks = ({ bar, button }: Pick<Brand, 'bar' | 'button'>): BrandLink[] => [
  ...bar.flatMap((entry) => ('links' in entry ? entry.links : [entry])),
  ...(button ? [button] : []),
]

export type PageBrand = {
  tag: string | null
  isDeprecated: boolean
  /** Address on another site to which the navigation links instead of the page. */
  url: string | null
  leftOut: string[]
  isFeed: boolean
  metatags: [string, string][]
}

const maxMetatags = 40
/** Names that would change how browsers treat the page. */
const refused = /^(referrer|viewport|color-scheme|charset|theme-color|description|canonical)$/i

/** Refuses the tags that the export sets itself. */
export const readMetatags = (data: Readonly<Record<string, unknown>>): [string, string][] =>
  Object.entries(data)
    .filter(([name]) => /^[a-z][\w.:-]{0,60}$/i.test(name) && !refused.test(name))
    .flatMap(([name, value]): [string, string][] => {
      const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      return isScalar && String(value).trim() !== '' ? [[name, String(value).slice(0, 500).toWellFormed()]] : []
    })
    .slice(0, maxMetatags)

const ignored = new Set(
  `keywords boost related timestamp playground contextual groups public searchable authMethod auth contentType graphql iconType
canonical hideFooterPagination hideApiMarker lastUpdatedDate createdDate authors`.split(/\s+/),
)

const readOutside = (value: unknown): string | null => {
  const url = typeof value === 'string' && /^https?:\/\//i.test(value) ? URL.parse(value) : null
  return url && url.href.replace(/[()]/g, (bracket) => (bracket === '(' ? '%28' : '%29'))
}
export const readBadge = (badge: unknown): string | null => toLine(asData(badge)['text'] ?? badge, 40)

const previewNames = /^(og|twitter|article):/

export const readPageBrand = (data: Readonly<Record<string, unknown>>): PageBrand => {
  return {
    tag: toLine(asText(data['tag']), 40) ?? readBadge(asData(data['sidebar'])['badge']),
    isDeprecated: data['deprecated'] === true,
    url: readOutside(data['url']),
    leftOut: Object.keys(data).filter((key) => ignored.has(key)),
    isFeed: data['rss'] === true,
    metatags: readMetatags(Object.fromEntries(Object.entries(data).filter(([name]) => previewNames.test(name)))),
  }
}

/** Colour as `#rrggbb`, or null. */
export const parseColor = (value: unknown): string | null => {
  if (typeof value !== 'string') return null
  const text = value.trim().toLowerCase()
  if (/^#[0-9a-f]{6}$/.test(text)) return text
  return /^#[0-9a-f]{3}$/.test(text) ? text.replace(/[0-9a-f]/g, '$&$&') : null
}

/** Reads one text for all pages, or one for light and one for dark pages. */
export const readPair = (value: unknown): Pair =>
  isData(value)
    ? { light: asText(value['light']) ?? asText(value['dark']), dark: asText(value['dark']) ?? asText(value['light']) }
    : { light: asText(value), dark: asText(value) }
