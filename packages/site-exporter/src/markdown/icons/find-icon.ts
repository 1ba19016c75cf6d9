import { mapNames } from '#site/data.ts'
import { findGlyph, iconSets, type IconSet } from './icon-sets.ts'

export type IconLibrary = 'fontawesome' | 'lucide' | 'tabler'

/** Glyph of a bundled set. `isOther`: the icon library of the site has no icon of this name. */
export type Icon = { set: IconSet; name: string; isOther: boolean }

const orders: Readonly<Record<IconLibrary, { own: IconSet[]; others: IconSet[] }>> = {
  fontawesome: { own: ['fa7-solid', 'fa7-brands', 'fa7-regular'], others: ['lucide', 'tabler', 'simple-icons'] },
  lucide: { own: ['lucide'], others: ['fa7-brands', 'tabler', 'fa7-solid', 'simple-icons'] },
  tabler: { own: ['tabler'], others: ['lucide', 'fa7-brands', 'fa7-solid', 'simple-icons'] },
}

/** Sets by prefix, as in `mdi:home` and `octicons-alert-16`. */
const prefixes = mapNames({
  lucide: 'lucide',
  tabler: 'tabler ti',
  mdi: 'mdi material',
  octicon: 'octicon octicons',
  'simple-icons': 'simple simple-icons logos',
})

const known = new Map<string, Icon | null>()
const maxKnown = 10_000

/** Finds the glyph for a name such as `rocket`, `fa-brands fa-github` or `mdi:home`. Null if no bundled set has it. */
export const findIcon = (text: string, library: IconLibrary, type: string | null = null): Icon | null => {
  const key = `${library}\n${type ?? ''}\n${text}`
  const before = known.get(key)
  if (before !== undefined) return before
  // MkDocs writes `fontawesome/solid/house` in the front matter.
  const icon = searchSets(text.trim().replace(/^fontawesome\/([a-z]+)\//, 'fontawesome-$1:'), library, type)
  if (known.size < maxKnown) known.set(key, icon)
  return icon
}

const findSet = (prefix: string): IconSet | undefined => {
  const style = /^(?:fa[67]?|fontawesome)-(solid|regular|brands)$/.exec(prefix)?.[1]
  return style === undefined ? prefixes.get(prefix) : (`fa7-${style}` as IconSet)
}

const searchSets = (text: string, library: IconLibrary, type: string | null): Icon | null => {
  if (text.length > 100) return null
  const [, prefix, rest = ''] = /^(?:i-)?([a-z][a-z0-9-]*?)[:/](.+)$/i.exec(text) ?? []
  const set = prefix === undefined ? undefined : findSet(prefix.toLowerCase())
  if (set !== undefined)
    return (
      findInSets([set], listCandidateNames(rest), false) ??
      findInSets(orders[library].others, listCandidateNames(rest), true)
    )
  // Prefixes such as `seti:` name sets that are not bundled.
  const names = listCandidateNames(prefix === undefined ? text : rest)
  const style =
    type === 'brands' || /\bfa-?b(rands)?\b/.test(text) ? 'fa7-brands' : type === 'regular' ? 'fa7-regular' : null
  const isFontAwesome = /(?:^|\s)fa-/.test(text)
  const { own, others } = orders[isFontAwesome ? 'fontawesome' : library]
  const first = own[0] === 'fa7-solid' && style !== null ? [style, ...own] : own
  return findInSets(first as IconSet[], names, false) ?? findInSets(others, names, true)
}

const findInSets = (sets: readonly IconSet[], names: readonly string[], isOther: boolean): Icon | null => {
  for (const name of names) {
    for (const set of sets) {
      const found = findGlyph(set, name)
      if (found !== null) return { set, name: found, isOther }
    }
  }
  return null
}

/** Candidates for a name: as it is, in lower case with hyphens, without `fa-`, and its alternative names. */
const listCandidateNames = (text: string): string[] => {
  const word = text.split(/\s+/).findLast((part) => part !== '') ?? ''
  const plain = word.replace(/^(fa|lucide|icon|tabler)-(?=.)/, '')
  const hyphened = plain
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/[_.]/g, '-')
    .toLowerCase()
  const other = Object.hasOwn(otherNames, hyphened) ? otherNames[hyphened]! : []
  return [...new Set([word, plain, hyphened, ...other])].filter((name) => /^[a-z0-9][a-z0-9-]*$/i.test(name))
}

export const formatIconClass = ({ set, name }: Icon): string => `ic-${set}--${name}`

/** Glyph of an icon class; null for other text. */
export const readIconClass = (text: string): { set: IconSet; name: string } | null => {
  const [, set = '', name = ''] = /^ic-([a-z0-9-]+?)--([a-z0-9-]+)$/.exec(text) ?? []
  return Object.hasOwn(iconSets, set) && findGlyph(set as IconSet, name) === name ? { set: set as IconSet, name } : null
}

/** Names of older releases and of other tools, with their names in the bundled sets. The first that exists is used. */
export const otherNames: Readonly<Record<string, readonly string[]>> = {
  // Font Awesome 5 and 4.
  'arrows-alt': ['up-down-left-right', 'move'],
  bank: ['building-columns', 'landmark'],
  cog: ['gear', 'settings'],
  cogs: ['gears', 'settings-2'],
  'cloud-download-alt': ['cloud-arrow-down'],
  'cloud-upload-alt': ['cloud-arrow-up'],
  dashboard: ['gauge', 'layout-dashboard'],
  'diamond-exclamation': ['triangle-exclamation'],
  'ellipsis-h': ['ellipsis'],
  'exchange-alt': ['right-left', 'arrow-right-left'],
  'exclamation-circle': ['circle-exclamation', 'circle-alert'],
  'exclamation-triangle': ['triangle-exclamation', 'triangle-alert'],
  'file-alt': ['file-lines', 'file-text'],
  'file-contract': ['file-signature'],
  'check-circle': ['circle-check'],
  'times-circle': ['circle-xmark', 'circle-x'],
  'info-circle': ['circle-info', 'info'],
  'question-circle': ['circle-question', 'circle-help'],
  'plus-circle': ['circle-plus'],
  'lightbulb-on': ['lightbulb'],
  magic: ['wand-magic-sparkles', 'wand-sparkles'],
  'map-marker-alt': ['location-dot', 'map-pin'],
  mail: ['envelope'],
  'messages-question': ['comments', 'messages-square'],
  'pencil-alt': ['pencil'],
  'project-diagram': ['diagram-project', 'workflow'],
  'sign-in-alt': ['right-to-bracket', 'log-in'],
  'sign-out-alt': ['right-from-bracket', 'log-out'],
  'sliders-h': ['sliders', 'sliders-horizontal'],
  'sync-alt': ['arrows-rotate', 'refresh-cw'],
  'tachometer-alt': ['gauge-high', 'gauge'],
  tasks: ['list-check', 'list-checks'],
  times: ['xmark', 'x'],
  tools: ['screwdriver-wrench', 'wrench'],
  'trash-alt': ['trash-can', 'trash-2'],
  // Font Awesome Pro, whose licence forbids bundling it.
  'arrow-progress': ['bars-progress'],
  'book-open-cover': ['book-open'],
  books: ['book', 'library'],
  'brackets-curly': ['braces'],
  'chart-mixed': ['chart-column'],
  'circle-nodes': ['circle-nodes', 'waypoints'],
  'code-simple': ['code'],
  'file-magnifying-glass': ['file-search'],
  'gear-code': ['gear'],
  'grid-2': ['table-cells-large', 'layout-grid'],
  grid: ['table-cells-large', 'layout-grid'],
  'hand-wave': ['hand'],
  'input-text': ['text-cursor-input'],
  'lightbulb-exclamation': ['lightbulb'],
  'message-bot': ['bot-message-square', 'robot'],
  messages: ['messages-square', 'comments'],
  'rectangle-terminal': ['square-terminal', 'terminal'],
  'rectangle-code': ['square-code'],
  sparkle: ['sparkles'],
  'square-code': ['square-code', 'file-code'],
  'user-robot': ['robot', 'bot'],
  // Starlight.
  'add-document': ['file-plus'],
  'approve-check': ['check'],
  'approve-check-circle': ['circle-check'],
  bars: ['menu'],
  'blue-sky': ['bluesky'],
  close: ['x'],
  comment: ['message-square'],
  'comment-alt': ['message-square-text'],
  document: ['file-text'],
  'down-arrow': ['arrow-down'],
  'down-caret': ['chevron-down'],
  email: ['mail', 'envelope'],
  error: ['circle-x'],
  external: ['external-link'],
  'forward-slash': ['slash'],
  information: ['info'],
  'left-arrow': ['arrow-left'],
  'left-caret': ['chevron-left'],
  'list-format': ['list'],
  magnifier: ['search'],
  'microsoft-teams': ['microsoftteams'],
  'open-book': ['book-open'],
  random: ['shuffle'],
  'right-arrow': ['arrow-right'],
  'right-caret': ['chevron-right'],
  setting: ['settings', 'gear'],
  'stack-overflow': ['stack-overflow', 'stackoverflow'],
  translate: ['languages', 'language'],
  'up-arrow': ['arrow-up'],
  'up-caret': ['chevron-up'],
  warning: ['triangle-alert', 'triangle-exclamation'],
  'x-com': ['x-twitter', 'x'],
}
