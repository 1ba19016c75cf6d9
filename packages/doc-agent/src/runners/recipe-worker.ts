import { gitIn } from '@docket/sources/git/git'
import { runOrder } from '#recipes/recipes.ts'
import type { RecipeOrder, RecipeReport } from './built-in.ts'

const sendResult = (message: RecipeReport) =>
  new Promise<void>((resolve) => {
    process.send?.(message, () => resolve())
  })

// The parent process has ended, so the result is no longer needed.
process.on('disconnect', () => process.exit(1))

// Stopping the work kills this process.
process.once('message', ({ order, checkout, folder, gitDir, commit }: RecipeOrder) => {
  runOrder(order, { checkout, folder, git: gitIn(gitDir), commit })
    .then((outcome) => sendResult({ kind: 'done', outcome }))
    .catch((error: unknown) =>
      sendResult({ kind: 'failed', reason: error instanceof Error ? error.message : 'Unknown reason' }),
    )
    .finally(() => process.exit())
})
