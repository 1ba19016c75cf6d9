import { posix } from 'node:path'
import { findText, formatMistake, reportMistake, type ReportingFolder } from '#readers/read-text.ts'
import { limits } from '#site/limits.ts'
import { parseJson } from '#site/parse-data.ts'

const maxReferences = 8

/** Reads JSON and inlines `{ "$ref": "./other.json" }`. Null if any file is invalid. `leave` reports unreadable files. */
export const readJsonWithReferences = async (
  folder: ReportingFolder,
  file: string,
  leave: (file: string, reason: string) => void,
): Promise<unknown> => {
  const left = new Set<string>()
  const budget = { left: 500, bytes: limits.pageBytes * 4 }

  const load = async (from: string, depth: number): Promise<unknown> => {
    // Ends cycles.
    const isTooMuch = depth > maxReferences || budget.left-- <= 0
    const isHidden = from.split('/').some((part) => part.startsWith('.') && part !== '..')
    const content = isTooMuch || isHidden ? null : await findText(folder, from, budget.bytes)
    if (content === null) {
      if (!left.has(from)) leave(from, 'it is referred to, and cannot be read, or not so often')
      left.add(from)
      return null
    }
    // Counts repeated files, because parsed data takes many times their size in memory.
    budget.bytes -= content.length
    const { value, problem } = parseJson(content)
    if (problem !== null) reportMistake(folder, from, formatMistake(value, problem))
    return resolve(value, from, depth)
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
