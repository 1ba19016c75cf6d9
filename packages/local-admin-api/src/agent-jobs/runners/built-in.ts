import { stepsOf } from '#agent-jobs/recipes/recipes.ts'
import type { Runner } from '#agent-jobs/runners/runner.ts'

/** The runner that needs nothing: it does what the lines of the prompt name, and calls no model. */
export const builtInRunner = (): Runner => ({
  model: 'built-in recipes',
  run: async ({ prompt, checkout, folder, repository }, signal) => {
    const work = { checkout, folder, git: repository.git, commit: repository.commit }
    const report: string[] = []
    for (const step of stepsOf(prompt)) {
      signal.throwIfAborted()
      report.push(await step(work, signal))
    }
    return report
  },
})
