import { branches, maxNavigationDepth } from '#openapi/reading/docs-json-operations.ts'
import { asData, isData } from '#site/data.ts'
import type { HiddenReason } from '#site/front-matter.ts'
import { type FindPage, notFoundPath } from '#site/page-paths.ts'
import { listPages, pruneNav, type NavNode, type SourcePage } from '#site/source-page.ts'

/** Pages that the navigation of a docs.json names, in its order. */
export function* listNamedPages(
  value: unknown,
  depth: number,
  isHidden = false,
): Generator<{ name: string; isHidden: boolean }> {
  if (depth > maxNavigationDepth) return
  if (typeof value === 'string') yield { name: value, isHidden }
  if (Array.isArray(value)) for (const item of value as unknown[]) yield* listNamedPages(item, depth + 1, isHidden)
  if (!isData(value)) return
  for (const key of branches) yield* listNamedPages(value[key], depth + 1, isHidden || value['hidden'] === true)
}

/** Removes what docs.json hides from its navigation: `hidden: true` on any group, tab, version or language. */
export const removeHiddenParts = (docs: unknown): unknown => {
  if (!isData(docs)) return docs
  const visible = (value: unknown, depth: number): unknown => {
    if (depth > maxNavigationDepth) return value
    if (Array.isArray(value)) return value.filter((item) => !isHidden(item)).map((item) => visible(item, depth + 1))
    if (!isData(value)) return value
    const lists = branches.filter((key) => Object.hasOwn(value, key) && typeof value[key] === 'object')
    return { ...value, ...Object.fromEntries(lists.map((key) => [key, visible(value[key], depth + 1)])) }
  }
  return { ...docs, navigation: visible(docs['navigation'], 0) }
}

const isHidden = (item: unknown) => asData(item)['hidden'] === true

const listHiddenParts = (docs: unknown, find: FindPage): ReadonlySet<string | undefined> =>
  new Set(
    [...listNamedPages(asData(docs)['navigation'], 0)].flatMap(({ name, isHidden }) => (isHidden ? find(name) : [])),
  )

type Selection = {
  pages: ReadonlyMap<string, SourcePage>
  nav: readonly NavNode[]
  /** docs.json, or null. */
  docs: unknown
  find: FindPage
  /** True when the tool publishes only the pages in the navigation. */
  isNavigationAll: boolean
  withHidden: boolean
}

/** Divides pages into exported and hidden ones. Removes hidden pages from the navigation. */
export const selectPages = ({ pages, nav, docs, find, isNavigationAll, withHidden }: Selection) => {
  const listed = new Set(isNavigationAll ? nav.flatMap(listPages) : [])
  const inHiddenParts = listHiddenParts(docs, find)
  const findReason = ({ path, file, hidden }: SourcePage): HiddenReason | null => {
    if (hidden !== null || listed.has(path)) return hidden
    if (inHiddenParts.has(path)) return 'hidden'
    if (forAgents.test(file)) return 'for agents'
    // Hosts show this page for addresses without a page.
    return isNavigationAll && path !== notFoundPath ? 'outside the navigation' : null
  }
  const hidden = new Map<string, SourcePage>()
  const selected = new Map<string, SourcePage>()
  for (const [path, page] of pages) {
    const reason = findReason(page)
    if (reason !== null) hidden.set(path, { ...page, hidden: reason })
    if (reason === null || withHidden) selected.set(path, { ...page, hidden: reason })
  }
  return {
    pages: selected,
    nav: pruneNav(nav, (path) => path !== notFoundPath && !hidden.has(path)),
    hidden: withHidden ? new Map<string, SourcePage>() : hidden,
  }
}

/** File names of instructions for agents. Such a page is hidden unless the navigation lists it. */
const forAgents = /(?:^|\/)(?:AGENTS|CLAUDE|GEMINI)\.mdx?$/
