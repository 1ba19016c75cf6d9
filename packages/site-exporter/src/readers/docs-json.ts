import { posix } from 'node:path'
import type { SourceFolder } from '@docket/sources/source-folder'
import { listKeys, maxNavigationDepth } from '#openapi/reading/docs-json-operations.ts'
import { asData, asText, isData } from '#site/data.ts'
import { limits } from '#site/limits.ts'
import { findPath } from '#site/page-paths.ts'
import type { NavNode } from '#site/source-page.ts'

/** Settings from docs.json or mint.json. Invalid ones are ignored. */
export type DocsJson = {
  name: string | null
  description: string | null
  colors: { light: string | null; dark: string | null }
  logo: { light: string | null; dark: string | null }
  favicon: string | null
  nav: NavNode[]
  /** Listed pages that do not exist. */
  missing: string[]
}

const maxDepth = maxNavigationDepth
const titles = 'group tab anchor dropdown version product item language title name'.split(' ')
const tabKinds = new Set(['tab', 'anchor', 'dropdown', 'version', 'product', 'language'])

/** Reads a parsed docs.json. `exists` checks a page path. */
export const readDocsJson = (parsed: unknown, exists: (path: string) => boolean): DocsJson => {
  const data = asData(parsed)
  const missing: string[] = []
  const placed = new Set<string>()

  const readNodes = (value: unknown, depth: number): NavNode[] => {
    if (depth > maxDepth) return []
    if (Array.isArray(value)) return value.flatMap((item: unknown) => readNode(item, depth))
    if (!isData(value)) return []
    const first = asText(value['root'])
    return [...(first ? readNode(first, depth) : []), ...listKeys.flatMap((key) => readNodes(value[key], depth + 1))]
  }
  const readNode = (item: unknown, depth: number): NavNode[] => {
    if (typeof item === 'string') {
      const path = findPath(item, exists)
      if (path === undefined) missing.push(item)
      // A page listed twice would loop "previous" and "next".
      if (path === undefined || placed.has(path)) return []
      placed.add(path)
      return [{ kind: 'page', path }]
    }
    if (!isData(item)) return []
    const children = readNodes(item, depth + 1)
    if (children.length === 0) return []
    const kind = titles.find((key) => asText(item[key]) !== null)
    if (kind === undefined) return children
    const title = kind === 'language' ? languageName(asText(item[kind])!) : asText(item[kind])!
    return [{ kind: 'group', title, isTab: tabKinds.has(kind), children }]
  }

  const colors = asData(data['colors'])
  const primary = parseColor(colors['primary'])
  return {
    name: asText(data['name']),
    description: asText(data['description']),
    colors: { light: primary, dark: parseColor(colors['light']) ?? primary },
    logo: readPair(data['logo']),
    favicon: readPair(data['favicon']).light,
    nav: readNodes(data['navigation'], 0),
    missing,
  }
}

const parseColor = (value: unknown) =>
  typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value) ? value.toLowerCase() : null

const readPair = (value: unknown) =>
  isData(value)
    ? { light: asText(value['light']) ?? asText(value['dark']), dark: asText(value['dark']) ?? asText(value['light']) }
    : { light: asText(value), dark: asText(value) }

const languageName = (tag: string) => {
  try {
    return new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag
  } catch {
    return tag
  }
}

const maxReferences = 8

/** Reads JSON and inlines `{ "$ref": "./other.json" }`. Null if any file is invalid; `leave` reports unreadable ones. */
export const readJsonWithReferences = async (
  folder: Pick<SourceFolder, 'read'>,
  file: string,
  leave: (file: string, reason: string) => void,
): Promise<unknown> => {
  const left = new Set<string>()
  const budget = { left: 500, bytes: limits.pageBytes * 4 }

  const load = async (from: string, depth: number): Promise<unknown> => {
    // Ends cycles.
    const isTooMuch = depth > maxReferences || budget.left-- <= 0
    const isHidden = from.split('/').some((part) => part.startsWith('.') && part !== '..')
    const content = isTooMuch || isHidden ? null : await folder.read(from, budget.bytes)
    if (!content) {
      if (!left.has(from)) leave(from, 'it is referred to, and cannot be read, or not so often')
      left.add(from)
      return null
    }
    // Counts repeats, because parsed data takes many times the memory.
    budget.bytes -= content.length
    try {
      return await resolve(JSON.parse(content.toString('utf8')), from, depth)
    } catch (error) {
      if (error instanceof SyntaxError) return null
      throw error
    }
  }

  const resolve = async (value: unknown, from: string, depth: number, nesting = 0): Promise<unknown> => {
    if (nesting > limits.nesting) return null
    if (Array.isArray(value)) {
      const items: unknown[] = []
      for (const item of value as unknown[]) items.push(await resolve(item, from, depth, nesting + 1))
      return items
    }
    if (typeof value !== 'object' || value === null) return value
    const { $ref, ...own } = value as Record<string, unknown>
    const resolved: Record<string, unknown> = {}
    for (const [key, item] of Object.entries(own)) resolved[key] = await resolve(item, from, depth, nesting + 1)
    if (typeof $ref !== 'string') return $ref === undefined ? resolved : value
    const target = await load(posix.join(posix.dirname(from), $ref), depth + 1)
    // Keys beside a reference override its target.
    return typeof target === 'object' && target !== null && !Array.isArray(target) ? { ...target, ...resolved } : target
  }
  return load(file, 0)
}
