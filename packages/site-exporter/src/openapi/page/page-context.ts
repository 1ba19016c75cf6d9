import type { Note } from '#markdown/page-notes.ts'
import type { Data } from '#site/data.ts'
import { apiLimits } from '#openapi/limits.ts'
import type { Resolve } from '#openapi/reading/references.ts'

/** Resolved schema with merged `allOf`. */
export type Schema = {
  /** References that led here; a repeated one is a cycle. */
  names: readonly string[]
  /** Name of the reference, such as `Pet`. */
  name: string | null
  /** Reason why it is not shown. */
  problem: string | null
  types: readonly string[]
  isNullable: boolean
  properties: ReadonlyMap<string, unknown>
  required: ReadonlySet<string>
  variants: { word: 'One of' | 'Any of'; schemas: readonly unknown[] } | null
  items: unknown
  /** `additionalProperties`. */
  values: unknown
  /** All keywords of the schema. */
  data: Data
}

/** Creates the state for one page. */
export const pageContext = (resolve: Resolve, note: Note) => {
  const reported = new Set<string>()
  return {
    note,
    /** Cache of schemas. */
    known: new Map<unknown, Schema>(),
    /** Remaining schemas for the page. */
    schemas: { left: apiLimits.schemas },
    /** Follows a reference. The report names broken ones. */
    resolve: (value: unknown) => {
      const resolved = resolve(value)
      if (resolved.problem !== null && !reported.has(resolved.problem) && reported.size < 20) {
        reported.add(resolved.problem)
        note('not-understood', `a reference: ${resolved.problem}`)
      }
      return resolved
    },
  }
}

/** Shared state of one operation page. */
export type PageContext = ReturnType<typeof pageContext>
