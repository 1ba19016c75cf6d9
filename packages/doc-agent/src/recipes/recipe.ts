import type { Git } from '@docket/sources/git/git'

/** Input of a step: a checkout, the project's folder in it (empty for all), and the history. */
export type RecipeWork = { checkout: string; folder: string; git: Git; commit: string }

/** One step of a prompt: changes files of a checkout. Resolves with lines for the report; rejects with a sentence that fails the job. */
export type Step = (work: RecipeWork) => Promise<string[]>

/** One ability of the built-in runner: its documentation, and the parser of its prompt lines. */
export type Recipe = { usage: string; parse(line: string): Step | null }
