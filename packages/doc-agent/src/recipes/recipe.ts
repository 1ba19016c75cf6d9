import type { Git } from '@docket/sources/git/git'

/**
 * Input of a step: a checkout, the project's folder in it (empty for all), and the history. `pages`: the only pages that it may change,
 * null for all of the folder; `limit`: how many of them.
 */
export type RecipeWork = {
  checkout: string
  folder: string
  git: Git
  commit: string
  pages?: readonly string[] | null
  limit?: number | undefined
}

export type Lines = { shown: string[]; count: number }

/** Result of a step: a first line with the counts, and what it changed, found and could not read. */
export type Outcome = {
  summary: string
  files: number
  /** `file:line old → new`, one for each change. */
  changes: Lines
  /** `file:line what — why`, one for each thing that a person has to look at. */
  findings: Lines
  notes: string[]
}

/** Does the work of an order on a checkout. Rejects with a sentence that fails the job. */
export type Step = (work: RecipeWork) => Promise<Outcome>
