import { findGlyph, iconSets, type IconSet } from './icon-sets.ts'
import { otherNames } from './other-names.ts'

/** Set whose names a site uses. */
export type IconLibrary = 'fontawesome' | 'lucide' | 'tabler'

/** Glyph of a kept set. `isOther`: its library has none of this name. */
export type Icon = { set: IconSet; name: string; isOther: boolean }

/** Sets by library, the own ones first. */
const orders: Readonly<Record<IconLibrary, { own: IconSet[]; others: IconSet[] }>> = {
  fontawesome: { own: ['fa7-solid', 'fa7-brands', 'fa7-regular'], others: ['lucide', 'tabler', 'simple-icons'] },
  lucide: { own: ['lucide'], others: ['fa7-brands', 'tabler', 'fa7-solid', 'simple-icons'] },
  tabler: { own: ['tabler'], others: ['lucide', 'fa7-brands', 'fa7-solid', 'simple-icons'] },
}

/** Sets by prefix, as in `mdi:home` and `octicons-alert-16`. */
const prefixes: Readonly<Record<string, IconSet>> = {
  lucide: 'lucide',
  tabler: 'tabler',
  ti: 'tabler',
  mdi: 'mdi',
  material: 'mdi',
  octicon: 'octicon',
  octicons: 'octicon',
  simple: 'simple-icons',
  'simple-icons': 'simple-icons',
  logos: 'simple-icons',
  'fa-solid': 'fa7-solid',
  'fa6-solid': 'fa7-solid',
  'fa7-solid': 'fa7-solid',
  'fontawesome-solid': 'fa7-solid',
  'fa-regular': 'fa7-regular',
  'fa6-regular': 'fa7-regular',
  'fa7-regular': 'fa7-regular',
  'fontawesome-regular': 'fa7-regular',
  'fa-brands': 'fa7-brands',
  'fa6-brands': 'fa7-brands',
  'fa7-brands': 'fa7-brands',
  'fontawesome-brands': 'fa7-brands',
}

const known = new Map<string, Icon | null>()
const maxKnown = 10_000

/** Finds the glyph for a name such as `rocket`, `fa-brands fa-github` or `mdi:home`. Null if no kept set has it. */
export const findIcon = (text: string, library: IconLibrary, type: string | null = null): Icon | null => {
  const key = `${library}\n${type ?? ''}\n${text}`
  const before = known.get(key)
  if (before !== undefined) return before
  // MkDocs writes `fontawesome/solid/house` in the front matter.
  const icon = search(text.trim().replace(/^fontawesome\/([a-z]+)\//, 'fontawesome-$1:'), library, type)
  if (known.size < maxKnown) known.set(key, icon)
  return icon
}

const search = (text: string, library: IconLibrary, type: string | null): Icon | null => {
  if (text.length > 100) return null
  const [, prefix, rest = ''] = /^(?:i-)?([a-z][a-z0-9-]*?)[:/](.+)$/i.exec(text) ?? []
  const set = prefix === undefined ? undefined : prefixes[prefix.toLowerCase()]
  if (set !== undefined)
    return findIn([set], listNames(rest), false) ?? findIn(orders[library].others, listNames(rest), true)
  // `seti:` and the like name sets that are not kept.
  const names = listNames(prefix === undefined ? text : rest)
  const style =
    type === 'brands' || /\bfa-?b(rands)?\b/.test(text) ? 'fa7-brands' : type === 'regular' ? 'fa7-regular' : null
  const isFontAwesome = /(?:^|\s)fa-/.test(text)
  const { own, others } = orders[isFontAwesome ? 'fontawesome' : library]
  const first = own[0] === 'fa7-solid' && style !== null ? [style, ...own] : own
  return findIn(first as IconSet[], names, false) ?? findIn(others, names, true)
}

const findIn = (sets: readonly IconSet[], names: readonly string[], isOther: boolean): Icon | null => {
  for (const name of names) {
    for (const set of sets) {
      const found = findGlyph(set, name)
      if (found !== null) return { set, name: found, isOther }
    }
  }
  return null
}

/** The name as it is, in lower case with hyphens, without `fa-`, and by its other names. */
const listNames = (text: string): string[] => {
  const word = text.split(/\s+/).findLast((part) => part !== '') ?? ''
  const plain = word.replace(/^(fa|lucide|icon|tabler)-(?=.)/, '')
  const hyphened = plain
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/[_.]/g, '-')
    .toLowerCase()
  const other = Object.hasOwn(otherNames, hyphened) ? otherNames[hyphened]! : []
  return [...new Set([word, plain, hyphened, ...other])].filter((name) => /^[a-z0-9][a-z0-9-]*$/i.test(name))
}

/** Class of a glyph in the style sheet of icons. */
export const iconClass = ({ set, name }: Icon): string => `ic-${set}--${name}`

/** Glyph of such a class; null for other text. */
export const readIconClass = (text: string): { set: IconSet; name: string } | null => {
  const [, set = '', name = ''] = /^ic-([a-z0-9-]+?)--([a-z0-9-]+)$/.exec(text) ?? []
  return Object.hasOwn(iconSets, set) && findGlyph(set as IconSet, name) === name ? { set: set as IconSet, name } : null
}
