import { listKeys, maxNavigationDepth } from '#openapi/reading/docs-json-operations.ts'
import { formatSettingLine } from '#site/brand.ts'
import { asData, asList, asText, isData, mapNames, type Data } from '#site/data.ts'

/** Settings that are honoured. `a.b` means that only this setting of the group `a` is. */
const honoured = new Set(
  `$schema name description colors logo favicon navigation navbar footer fonts appearance redirects variables icons openapi
background.image background.color background.decoration banner.content banner.dismissible banner.type api.openapi api.asyncapi
errors.404 seo.metatags seo.indexing search.prompt contextual.options styling.codeblocks styling.eyebrows styling.latex`.split(
    /\s+/,
  ),
)

/** Settings by the reason why they are not honoured. */
const reasons = mapNames({
  'copies have one layout': 'theme',
  'a copy sends nothing to other hosts': 'integrations analytics',
  'files cannot make calls': 'api.playground api.mdx',
  'fields are open, and have the words that copies know': 'api.params',
  'requests have samples in six languages': 'api.examples',
  'a page shows the path, and its samples the whole address': 'api.url',
  'a banner has the colour of its kind': 'banner.color',
  'the commands stand beside the title': 'contextual.display',
  'groups open with their pages': 'interaction',
  'previews of pages are not drawn': 'thumbnails',
  'files cannot take an answer': 'feedback',
  'a copy does not know when a page was changed': 'metadata',
  'copies for other programs hold what the page shows': 'markdown',
  'the host decides who may read a copy': 'public',
  'addresses of a copy are those of its files': 'seo.trailingSlash',
})

const maxLines = 60

/** Reports each setting once. */
export const listIgnoredSettings = (data: Data): string[] =>
  [...Object.entries(data).flatMap(listGroup), ...listOptions(data), ...listNavigation(data['navigation'])].slice(
    0,
    maxLines,
  )

const groups = new Set([...honoured].flatMap((name) => (name.includes('.') ? [name.split('.')[0]!] : [])))

const listGroup = ([key, value]: [string, unknown]): string[] => {
  if (honoured.has(key)) return []
  const isGroup = isData(value) && (groups.has(key) || key === 'integrations')
  const names = isGroup ? Object.keys(value).map((part) => `${key}.${part}`) : groups.has(key) ? [] : [key]
  const others = names.filter((name) => !honoured.has(name))
  return others.map((name) => formatSettingLine(name, reasons.get(name) ?? reasons.get(key)))
}

const listOptions = (data: Data): string[] => {
  const options = asList(asData(data['contextual'])['options'])
    .map((option) => asText(option) ?? asText(asData(option)['title']) ?? 'one without a name')
    .filter((option) => option !== 'copy' && option !== 'view')
  const code = asData(data['styling'])['codeblocks']
  const isKnownCode = code === undefined || code === 'system' || code === 'dark'
  const decoration = asData(data['background'])['decoration']
  const isKnownDecoration = decoration === undefined || /^(gradient|grid|windows|none)$/.test(asText(decoration) ?? '')
  const isForAll = asData(data['seo'])['indexing'] === 'all'
  return [
    ...(isForAll
      ? ['the setting `seo.indexing`: pages outside the navigation are asked for when a site is exported']
      : []),
    ...(options.length > 0
      ? [`of the setting \`contextual.options\`, ${options.slice(0, 12).join(', ')}: a page has *Copy page* only`]
      : []),
    ...(isKnownCode ? [] : ['the setting `styling.codeblocks`: code has the colours of the page']),
    ...(isKnownDecoration ? [] : ['the setting `background.decoration`: copies know gradient, grid and windows']),
  ]
}

const pageReasons = mapNames({
  'the search finds what a page shows': 'keywords',
  'files cannot make calls': 'playground',
  'the host decides who may read a copy': 'public groups',
})

/** Reports each front matter setting that is not honoured once. `names` are the settings of all pages. */
export const listIgnoredPageSettings = (names: readonly string[]): string[] => {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].map(
    ([name, count]) =>
      `the setting \`${name}\` of pages (${count}): ${pageReasons.get(name) ?? 'copies do not know it'}`,
  )
}

const honouredInNavigation = new Set([
  ...listKeys,
  ...'group tab anchor dropdown version product item language title name root href icon iconType tag expanded'.split(
    ' ',
  ),
  ...'hidden searchable default global openapi asyncapi $ref'.split(' '),
])

const listNavigation = (navigation: unknown): string[] => {
  const names = new Set<string>()
  const walk = (value: unknown, depth: number) => {
    if (depth > maxNavigationDepth || names.size >= maxLines) return
    if (Array.isArray(value)) for (const item of value as unknown[]) walk(item, depth + 1)
    if (!isData(value)) return
    for (const [key, item] of Object.entries(value)) {
      if (!honouredInNavigation.has(key)) names.add(key)
      else if (listKeys.includes(key)) walk(item, depth + 1)
    }
  }
  walk(navigation, 0)
  return [...names].map((name) => `the setting \`${name.slice(0, 80)}\` of the navigation: copies do not know it`)
}
