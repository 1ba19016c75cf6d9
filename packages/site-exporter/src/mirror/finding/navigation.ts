import type { SideNode } from '#mirror/extract/sidebar.ts'

export type NavPart = { title: string; key: string } | { title: string; children: NavPart[] }

type Root = { parts: NavPart[]; keys: Set<string> }

/** Merges the sidebars of all pages, many of which show only one branch. Sidebars without a common page become separate trees. */
export const createNavigationParts = (toKey: (url: string) => string | null) => {
  const roots: Root[] = []
  let before = ''

  const toParts = (nodes: readonly SideNode[]): NavPart[] =>
    nodes.flatMap((node): NavPart[] => {
      if ('url' in node) {
        const key = toKey(node.url)
        return key === null ? [] : [{ title: node.title, key }]
      }
      const children = toParts(node.children)
      return children.length > 0 ? [{ title: node.title, children }] : []
    })

  return {
    add: (nodes: readonly SideNode[]) => {
      const parts = toParts(nodes)
      const text = JSON.stringify(parts)
      if (text === before || parts.length === 0) return
      before = text
      const keys = listKeys(parts)
      const shared = roots
        .map((root) => ({ root, count: keys.filter((key) => root.keys.has(key)).length }))
        .toSorted((a, b) => b.count - a.count)[0]
      // Partial trees that this page completes.
      const within = roots.filter((root) => root !== shared?.root && [...root.keys].every((key) => keys.includes(key)))
      for (const root of within) roots.splice(roots.indexOf(root), 1)
      if (shared && shared.count > 0) {
        mergeParts(findLevel(shared.root.parts, parts) ?? shared.root.parts, parts, shared.root.keys)
        for (const root of within) mergeParts(shared.root.parts, root.parts, shared.root.keys)
      } else {
        const root: Root = { parts: [], keys: new Set() }
        mergeParts(root.parts, parts, root.keys)
        roots.push(root)
      }
    },
    /** Trees in the order of `first`, then of discovery. */
    trees: (first: readonly string[]): NavPart[][] => {
      const rank = ({ keys }: Root) => {
        const at = first.findIndex((key) => keys.has(key))
        return at < 0 ? first.length : at
      }
      return roots.toSorted((a, b) => rank(a) - rank(b)).map(({ parts }) => unwrapParts(parts))
    },
  }
}

export const listKeys = (parts: readonly NavPart[]): string[] =>
  parts.flatMap((part) => ('key' in part ? [part.key] : listKeys(part.children)))

const findLevel = (level: NavPart[], parts: readonly NavPart[]): NavPart[] | null => {
  const [group] = parts
  if (parts.length !== 1 || group === undefined || 'key' in group) return null
  const isThere = (part: NavPart) => {
    const page = 'key' in part ? part : part.title === group.title ? part.children[0] : undefined
    const [own] = group.children
    return page !== undefined && own !== undefined && 'key' in page && 'key' in own && page.key === own.key
  }
  if (level.some(isThere)) return level
  for (const part of level) {
    const found = 'children' in part ? findLevel(part.children, parts) : null
    if (found !== null) return found
  }
  return null
}

const unwrapParts = (parts: NavPart[]): NavPart[] => {
  const [only] = parts
  if (parts.length !== 1 || only === undefined || 'key' in only) return parts
  return only.children[0]?.title === only.title && 'key' in only.children[0] ? only.children : parts
}

const mergeParts = (level: NavPart[], incoming: readonly NavPart[], placed: Set<string>) => {
  let at = -1
  for (const part of incoming) {
    const index = level.findIndex((known) => isSame(known, part))
    const known = level[index]
    if (known === undefined) {
      if ('key' in part && placed.has(part.key)) continue
      const added: NavPart = 'key' in part ? part : { title: part.title, children: [] }
      if ('key' in part) placed.add(part.key)
      else if ('children' in added) mergeParts(added.children, part.children, placed)
      if ('children' in added && added.children.length === 0) continue
      at = at < 0 ? level.length : at + 1
      level.splice(at, 0, added)
      continue
    }
    at = index
    if ('key' in part) continue
    // A closed group appears as a link to its first page.
    const open: NavPart = 'children' in known ? known : { title: part.title, children: [] }
    if ('key' in known) placed.delete(known.key)
    if ('children' in open) mergeParts(open.children, part.children, placed)
    level[index] = open
  }
}

const isSame = (known: NavPart, part: NavPart): boolean => {
  if ('key' in known && 'key' in part) return known.key === part.key
  if (known.title.toLowerCase() !== part.title.toLowerCase()) return false
  if ('key' in known && 'children' in part) return listKeys([part]).includes(known.key)
  if ('children' in known && 'key' in part) return listKeys([known]).includes(part.key)
  return true
}
