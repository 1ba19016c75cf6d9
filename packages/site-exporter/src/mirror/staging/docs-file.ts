import { listKeys, type NavPart } from '#mirror/finding/navigation.ts'
import { toHumanName } from '#site/folder-tree.ts'

type Entry = string | { group: string; pages: Entry[] } | { tab: string; pages: Entry[] }

const maxTabs = 8

/** Lists unlisted pages last. Empty without sidebars, so that folders become the navigation. */
export const buildNavigationEntries = (
  trees: readonly NavPart[][],
  paths: readonly string[],
  toPath: (key: string) => string | null,
  toTitle: (path: string) => string,
): Entry[] => {
  const placed = new Set<string>()
  const toEntries = (parts: readonly NavPart[]): Entry[] =>
    parts.flatMap((part): Entry[] => {
      if ('key' in part) {
        const path = toPath(part.key)
        if (path === null || placed.has(path)) return []
        placed.add(path)
        return [path]
      }
      const pages = toEntries(part.children)
      if (pages.length === 0) return []
      // A group with only its own page becomes that page.
      const [only] = pages
      const isItself = pages.length === 1 && typeof only === 'string' && part.children[0]?.title === part.title
      return isItself ? [only] : [{ group: part.title, pages }]
    })
  const sections = trees
    .map((parts) => ({ name: nameSection(parts, toPath, toTitle), pages: toEntries(parts) }))
    .filter(({ pages }) => pages.length > 0)
  if (sections.length === 0) return []
  const kind = sections.length <= maxTabs ? 'tab' : 'group'
  const entries: Entry[] =
    sections.length === 1
      ? sections[0]!.pages
      : sections.map(({ name, pages }) => (kind === 'tab' ? { tab: name, pages } : { group: name, pages }))
  const rest = paths.filter((path) => !placed.has(path))
  const start = rest.includes('index') ? ['index'] : []
  const more = groupByFolder(
    rest.filter((path) => path !== 'index'),
    '',
    0,
  )
  if (sections.length === 1) return [...start, ...entries, ...(more.length > 0 ? [{ group: 'More', pages: more }] : [])]
  const [first] = entries
  if (start.length > 0 && typeof first === 'object') first.pages.unshift(...start)
  return [...entries, ...(more.length > 0 ? [{ [kind]: 'More', pages: more } as Entry] : [])]
}

const nameSection = (
  parts: readonly NavPart[],
  toPath: (key: string) => string | null,
  toTitle: (path: string) => string,
) => {
  const paths = listKeys(parts).flatMap((key) => toPath(key) ?? [])
  const [first = ''] = paths
  const folder = first.split('/')[0]!
  const isCommon = first.includes('/') && paths.every((path) => path.startsWith(`${folder}/`) || path === folder)
  return isCommon ? toHumanName(folder) : toTitle(first)
}

const groupByFolder = (paths: readonly string[], prefix: string, depth: number): Entry[] => {
  const own: Entry[] = []
  const inside = new Map<string, string[]>()
  for (const path of paths) {
    const [folder, ...rest] = path.slice(prefix.length).split('/')
    if (rest.length === 0 || depth >= 3) own.push(path)
    else inside.set(folder!, [...(inside.get(folder!) ?? []), path])
  }
  const groups = [...inside].map(([folder, pages]): Entry => ({
    group: toHumanName(folder),
    pages: groupByFolder(pages, `${prefix}${folder}/`, depth + 1),
  }))
  return [...own, ...groups]
}
