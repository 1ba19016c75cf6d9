import type { Note } from '#markdown/page-notes.ts'
import type { Resolve, Resolved } from '#openapi/reading/references.ts'
import { apiLimits } from '#openapi/limits.ts'
import type { Schema } from './schema.ts'

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
  const said = new Set<string>()
  return {
    note,
    known: new Map(),
    schemas: { left: apiLimits.schemas },
    resolve: (value) => {
      const resolved = resolve(value)
      if (resolved.problem !== null && !said.has(resolved.problem) && said.size < 20) {
        said.add(resolved.problem)
        note('not-understood', `a reference: ${resolved.problem}`)
      }
      return resolved
    },
  }
}
