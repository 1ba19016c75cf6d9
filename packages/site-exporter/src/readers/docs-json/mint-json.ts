import { asData, asList, asText, isData, trimSlashes, type Data } from '#site/data.ts'

/** Settings of mint.json that have other names in docs.json. */
const translated = new Set(
  `topbarLinks topbarCtaButton anchors topAnchor footerSocials footer modeToggle versions tabs primaryTab navigation
background backgroundImage colors font metadata sidebar`.split(/\s+/),
)

/** Turns the settings of a mint.json into those of a docs.json. Keeps unknown settings, so that they are reported. */
export const toDocsJson = (parsed: unknown): unknown => {
  if (!isData(parsed) || !Array.isArray(parsed['navigation'])) return parsed
  const data = parsed
  const { background, ...colors } = asData(data['colors'])
  const font = asData(data['font'])
  const rest = Object.fromEntries(Object.entries(data).filter(([key]) => !translated.has(key)))
  const button = data['topbarCtaButton']
  return {
    ...rest,
    ...(data['footer'] !== undefined && { footer: data['footer'] }),
    ...(data['sidebar'] !== undefined && { interaction: data['sidebar'] }),
    colors,
    navigation: { ...readTabs(data), global: { anchors: listOutside(data['anchors'], 'anchor') } },
    navbar: { links: asList(data['topbarLinks']).map(toLink), ...(isData(button) && { primary: toLink(button) }) },
    footer: {
      ...asData(data['footer']),
      socials: { ...asData(asData(data['footer'])['socials']), ...readSocials(data['footerSocials']) },
    },
    appearance: readMode(asData(data['modeToggle'])),
    background: {
      image: data['backgroundImage'],
      color: background,
      ...(isData(data['background']) && { decoration: data['background']['style'] }),
    },
    fonts: {
      ...toFont(font),
      ...(isData(font['headings']) && { heading: toFont(font['headings']) }),
      ...(isData(font['body']) && { body: toFont(font['body']) }),
    },
    ...(isData(data['metadata']) && { seo: { ...asData(data['seo']), metatags: data['metadata'] } }),
  }
}

const toLink = (value: unknown) => {
  const { name, url, type, style: _, ...others } = asData(value)
  return { ...others, label: name, href: url, ...(type !== undefined && type !== 'link' && { type }) }
}

const toFont = (font: Data) => ({
  family: font['family'],
  source: font['url'] ?? font['source'],
  weight: font['weight'],
})

const readMode = (mode: Data) => ({ default: mode['default'], strict: mode['isHidden'] === true })

const readSocials = (value: unknown): Data =>
  Array.isArray(value)
    ? Object.fromEntries(
        value.flatMap((item): [string, unknown][] => {
          const type = asText(asData(item)['type'])
          return type === null || type === '__proto__' ? [] : [[type, asData(item)['url']]]
        }),
      )
    : asData(value)

const isOutside = (url: string | null) => url !== null && /^(https?:|mailto:|\/\/)/i.test(url)

const listOutside = (value: unknown, kind: string) =>
  asList(value).flatMap((item) => {
    const { name, url, icon } = asData(item)
    return isOutside(asText(url)) ? [{ [kind]: name, href: url, icon }] : []
  })

/** Puts the groups of a mint.json into the tabs, anchors and versions whose addresses are the beginning of theirs. */
const readTabs = (data: Data): Data => {
  const groups = asList(data['navigation'])
  const versions = asList(data['versions']).flatMap((item) => asText(item) ?? asText(asData(item)['name']) ?? [])
  if (versions.length > 1 && groups.some((group) => readVersion(group) !== null)) {
    const inVersion = (version: string) =>
      groups.filter((group) => readVersion(group) === null || readVersion(group) === version)
    return { versions: versions.map((version) => ({ version, ...groupByTabs(data, inVersion(version)) })) }
  }
  return groupByTabs(data, groups)
}

const readVersion = (group: unknown) => asText(asData(group)['version'])

const groupByTabs = (data: Data, groups: readonly unknown[]): Data => {
  const parts = [...asList(data['tabs']).map(toPart('tab')), ...asList(data['anchors']).map(toPart('anchor'))]
  const local = parts.filter(({ prefix }) => prefix !== null)
  const findPart = (group: unknown) => {
    const first = findFirstPage(group, 0)
    return local.find(({ prefix }) => first === prefix || first.startsWith(`${prefix}/`))
  }
  const main = groups.filter((group) => findPart(group) === undefined)
  if (parts.length === 0) return { groups }
  const title =
    asText(asData(data['primaryTab'])['name']) ?? asText(asData(data['topAnchor'])['name']) ?? 'Documentation'
  const entries = parts.flatMap((part): Data[] => {
    const own = groups.filter((group) => findPart(group) === part)
    if (part.prefix !== null) return own.length > 0 ? [{ tab: part.name, icon: part.icon, groups: own }] : []
    return part.kind === 'tab' ? [{ tab: part.name, href: part.url }] : []
  })
  return entries.length === 0 ? { groups } : { tabs: [{ tab: title, groups: main }, ...entries] }
}

const toPart = (kind: 'tab' | 'anchor') => (value: unknown) => {
  const { name, url, icon } = asData(value)
  const address = asText(url)
  const prefix = address === null || isOutside(address) ? null : trimSlashes(address)
  return { kind, name, url: address, icon, prefix: prefix === '' ? null : prefix }
}

const findFirstPage = (entry: unknown, depth: number): string => {
  if (typeof entry === 'string') return entry.replace(/^\/+/, '')
  const pages = asList(asData(entry)['pages'])
  return depth > 12 || pages.length === 0 ? '' : findFirstPage(pages[0], depth + 1)
}
