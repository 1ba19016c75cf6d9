import { isMap, isPair, isScalar, parseDocument, visit, type Document, type Node } from 'yaml'
import type { SiteEntry } from './site-entry.ts'

const addresses = /^(href|url|destination|to)$/

/** Reference to another file of the configuration. `inNavigation`: its content belongs to the navigation. */
export type JsonReference = { path: string; inNavigation: boolean; isRedirects: boolean }

/** Parses JSON as YAML, which keeps positions. Null when the text is not JSON, or reads as something else. */
export const parseJson = (text: string): Document.Parsed | null => {
  try {
    JSON.parse(text)
  } catch {
    return null
  }
  const document = parseDocument(text, { schema: 'core', uniqueKeys: true, logLevel: 'silent' })
  return document.errors.length > 0 ? null : document
}

/** Pages and addresses of a `docs.json` or a part of one, and its `$ref`s. Leaves out the sources of redirects. */
export const readDocsJson = (document: Document.Parsed, inNavigation: boolean) => {
  const entries: SiteEntry[] = []
  const references: JsonReference[] = []
  visit(document, (key, node, path) => {
    if (!isScalar(node) || typeof node.value !== 'string' || key === 'key') return
    const keys = path.flatMap((part) => (isPair(part) && isScalar(part.key) ? [String(part.key.value)] : []))
    const isNavigation = inNavigation || keys[0] === 'navigation'
    if (keys.at(-1) === '$ref')
      references.push({ path: node.value, inNavigation: isNavigation, isRedirects: keys[0] === 'redirects' })
    if (keys.at(-1) === '$ref' || keys.at(-1) === 'source') return
    const isPage = isNavigation && (typeof key === 'number' || keys.at(-1) === 'root')
    const isAddress = addresses.test(keys.at(-1) ?? '') && node.value.startsWith('/')
    if (!isPage && !isAddress) return
    const [start, end] = node.range ?? [0, 0]
    // Tools make pages from OpenAPI documents, and only lists of pages name nothing but pages.
    const isGenerated = path.some((part) => isMap(part) && (part.has('openapi') || part.has('asyncapi')))
    const isCertain =
      !isGenerated && (isAddress || keys.at(-1) === 'root' || ['pages', undefined].includes(keys.at(-1)))
    entries.push({ start, end, value: node.value, prefix: '', isCertain, write: (value) => JSON.stringify(value) })
  })
  return { entries, references }
}

export const readRedirectSources = (list: Node | null | undefined): string[] => {
  const items = (list?.toJSON() ?? []) as unknown
  if (!Array.isArray(items)) return []
  return items.flatMap((item: unknown) => {
    const source = typeof item === 'object' && item !== null ? (item as { source?: unknown }).source : null
    return typeof source === 'string' ? source : []
  })
}
