import { posix } from 'node:path'
import type { SourceFolder } from '@docket/sources/source-folder'
import { limits } from '#site/limits.ts'

const maxReferences = 8

/** Reads JSON and inlines `{ "$ref": "./other.json" }`. Null if any file is invalid. `leave` reports unreadable files. */
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
    // Counts repeated files, because parsed data takes many times their size in memory.
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
    // Keys next to a reference override those of its target.
    return typeof target === 'object' && target !== null && !Array.isArray(target) ? { ...target, ...resolved } : target
  }
  return load(file, 0)
}
