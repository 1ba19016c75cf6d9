import type { Git } from '@docket/sources/git/git'

/** Input of a step: a checkout, the project's folder in it (empty for all), and the history. */
export type RecipeWork = { checkout: string; folder: string; git: Git; commit: string }

/** One step of a prompt: changes files of a checkout. Resolves with lines for the report; rejects with a sentence that fails the job. */
export type Step = (work: RecipeWork) => Promise<string[]>

/** One thing the built-in runner can do, how to ask for it, and how a line of a prompt is understood. */
export type Recipe = { usage: string; parse(line: string): Step | null }
