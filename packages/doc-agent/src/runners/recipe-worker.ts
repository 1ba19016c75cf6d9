import { gitIn } from '@docket/sources/git/git'
import { parseSteps } from '#recipes/recipes.ts'
import type { RecipeOrder, RecipeReport } from './built-in.ts'

const tell = (message: RecipeReport) =>
  new Promise<void>((resolve) => {
    process.send?.(message, () => resolve())
  })

// The parent is gone, so the work is not wanted any more.
process.on('disconnect', () => process.exit(1))

const run = async ({ prompt, checkout, folder, gitDir, commit }: RecipeOrder) => {
  const work = { checkout, folder, git: gitIn(gitDir), commit }
  const report: string[] = []
  // Stopping the work kills this process.
  for (const step of parseSteps(prompt)) report.push(...(await step(work)))
  return report
}

process.once('message', (order: RecipeOrder) => {
  run(order)
    .then((report) => tell({ kind: 'done', report }))
    .catch((error: unknown) =>
      tell({ kind: 'failed', reason: error instanceof Error ? error.message : 'Unknown reason' }),
    )
    .finally(() => process.exit())
})
