import type { Git } from '@docket/sources/git/git'

/** What a step works on: a checkout, the folder in it that the project is about (empty for all), and the history before it. */
export type RecipeWork = { checkout: string; folder: string; git: Git; commit: string }

/** What a step of a prompt does to the files of a checkout. Resolves with lines for the report; rejects, and the job fails, with a sentence. */
export type Step = (work: RecipeWork) => Promise<string[]>

/** One thing the built-in runner can do, how to ask for it, and how a line of a prompt is understood. */
export type Recipe = { usage: string; parse(line: string): Step | null }
