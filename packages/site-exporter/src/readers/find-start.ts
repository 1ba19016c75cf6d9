import { listKeys, maxNavigationDepth } from '#openapi/reading/docs-json-operations.ts'
import { asData, isData } from '#site/data.ts'
import { findPath } from '#site/page-paths.ts'
import { listPages, type NavNode, type SourcePage } from '#site/source-page.ts'

type Structure = {
  pages: ReadonlyMap<string, SourcePage>
  nav: readonly NavNode[]
  redirects: ReadonlyMap<string, string>
  /** docs.json, or null. */
  docs: unknown
}

/** Path of the page that a site opens with: its index, the target of a redirect, or the first page of the navigation. */
export const findStart = ({ pages, nav, redirects, docs }: Structure): string | null => {
  const isVisible = (path: string) => pages.get(path)?.hidden === null
  if (isVisible('index')) return 'index'
  const redirected = redirects.get('')
  return (
    (redirected === undefined ? undefined : findPath(redirected.replace(/[?#].*$/s, ''), isVisible)) ??
    findDefaultPage(asData(docs)['navigation'], isVisible, 0) ??
    nav.flatMap(listPages)[0] ??
    [...pages.keys()].find(isVisible) ??
    [...pages.keys()][0] ??
    null
  )
}

/** First page of the branches that docs.json marks as default. Undefined if none is marked. */
const findDefaultPage = (value: unknown, isVisible: (path: string) => boolean, depth: number): string | undefined => {
  if (depth > maxNavigationDepth || !isData(value)) return undefined
  for (const key of listKeys) {
    const items: readonly unknown[] = Array.isArray(value[key]) ? (value[key] as unknown[]) : []
    const marked = items.find((item) => asData(item)['default'] === true)
    if (marked !== undefined)
      return findDefaultPage(marked, isVisible, depth + 1) ?? findFirstPage(marked, isVisible, depth + 1)
  }
  return undefined
}

const findFirstPage = (value: unknown, isVisible: (path: string) => boolean, depth: number): string | undefined => {
  if (depth > maxNavigationDepth) return undefined
  if (typeof value === 'string') return findPath(value, isVisible)
  const inner: readonly unknown[] = Array.isArray(value)
    ? (value as unknown[])
    : isData(value)
      ? ['root', ...listKeys].map((key) => value[key])
      : []
  for (const item of inner) {
    const path = findFirstPage(item, isVisible, depth + 1)
    if (path !== undefined) return path
  }
  return undefined
}
