/** What the process of the built-in runner is asked to do. Sent once, right after it started. */
export type RecipeOrder = { prompt: string; checkout: string; folder: string; gitDir: string; commit: string }

/** What came of it: lines for the report, or why it failed. */
export type RecipeReport = { kind: 'done'; report: string[] } | { kind: 'failed'; reason: string }
