import type { Note } from '#markdown/page-notes.ts'
import type { Data } from '#site/data.ts'
import { apiLimits } from '#openapi/limits.ts'
import type { Resolve, Resolved } from '#openapi/reading/references.ts'

/** One schema with its references followed and its `allOf` merged. */
export type Schema = {
  /** References on the way here; one that comes again is a circle. */
  names: readonly string[]
  /** `Pet`, when a reference led here. */
  name: string | null
  /** Why it cannot be shown. */
  problem: string | null
  types: readonly string[]
  isNullable: boolean
  properties: ReadonlyMap<string, unknown>
  required: ReadonlySet<string>
  variants: { word: 'One of' | 'Any of'; schemas: readonly unknown[] } | null
  /** Schema of the items of an array. */
  items: unknown
  /** Schema of values under any key. */
  values: unknown
  /** All keywords, for those that are shown as they are. */
  data: Data
}

/** What the parts of one page of an operation share. */
export type PageContext = {
  /** Follows a reference; one that leads nowhere is noted in the report. */
  resolve(value: unknown): Resolved
  note: Note
  /** Schemas that were read for this page. */
  known: Map<unknown, Schema>
  /** Schemas that the page may still show. */
  schemas: { left: number }
}

/** Everything of one page, from the references of its document. */
export const pageContext = (resolve: Resolve, note: Note): PageContext => {
  const reported = new Set<string>()
  return {
    note,
    known: new Map(),
    schemas: { left: apiLimits.schemas },
    resolve: (value) => {
      const resolved = resolve(value)
      if (resolved.problem !== null && !reported.has(resolved.problem) && reported.size < 20) {
        reported.add(resolved.problem)
        note('not-understood', `a reference: ${resolved.problem}`)
      }
      return resolved
    },
  }
}
