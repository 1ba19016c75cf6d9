import { tsPlugin } from '@sveltejs/acorn-typescript'
import { type Node, Parser, type Property } from 'acorn'
import type { SiteEntry } from './site-entry.ts'

const typedScripts = Parser.extend(tsPlugin())

/** Files of a VitePress site that may hold its navigation. */
export const vitepressFile = /(^|\/)\.vitepress\/(config\/)?[\w.-]+\.[cm]?[jt]s$/

/** Literals of a VitePress configuration: its links, the folder of its pages, and the number of links that are computed. */
export type VitepressLiterals = { entries: SiteEntry[]; srcDir: string | null; computed: number }

/**
 * Reads the string literals of a configuration without running it. Links count only with an absolute path or below a `base`. Null when
 * the file does not parse.
 */
export const readVitepress = (text: string): VitepressLiterals | null => {
  const found: VitepressLiterals = { entries: [], srcDir: null, computed: 0 }
  const visit = (value: unknown, base: string): void => {
    if (Array.isArray(value)) for (const item of value as unknown[]) visit(item, base)
    else if (typeof value === 'object' && value !== null && 'type' in value) visitNode(value as Node, base)
  }
  const visitNode = (node: Node, outer: string): void => {
    const properties = node.type === 'ObjectExpression' ? listProperties(node) : new Map<string, Node>()
    const base = readString(properties.get('base')) ?? outer
    found.srcDir ??= readString(properties.get('srcDir'))
    const link = properties.get('link')
    const path = readString(link)
    if (link && path === null) found.computed += 1
    if (link && path !== null && (path.startsWith('/') || base !== '')) {
      const quote = text[link.start] ?? "'"
      found.entries.push({
        start: link.start,
        end: link.end,
        value: path,
        prefix: path.startsWith('/') ? '' : base,
        isCertain: true,
        write: (fresh) => quote + fresh + quote,
      })
    }
    for (const child of Object.values(node)) visit(child, base)
  }
  try {
    visit(typedScripts.parse(text, { ecmaVersion: 'latest', sourceType: 'module', locations: true }).body, '')
    return found
  } catch {
    return null
  }
}

const listProperties = (node: Node): Map<string, Node> => {
  const properties = (node as Node & { properties: (Property | { type: 'SpreadElement' })[] }).properties
  return new Map(
    properties.flatMap((property): [string, Node][] => {
      if (property.type !== 'Property' || property.computed) return []
      const { key } = property
      const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : null
      return name === null ? [] : [[name, property.value]]
    }),
  )
}

/** Text of a string without escapes, which could not be written back as it is. */
const readString = (node: Node | undefined): string | null => {
  const { type, value, raw } = (node ?? {}) as { type?: string; value?: unknown; raw?: string }
  return type === 'Literal' && typeof value === 'string' && raw?.slice(1, -1) === value ? value : null
}
