import { join } from 'node:path'
import type { Project } from '@docket/code-hosts/code-host'
import type { MaintenanceOrder } from '#recipes/order.ts'
import type { Outcome } from '#recipes/recipe.ts'
import { runRecipe } from '#runners/built-in.ts'
import { checkOut } from './run-turn.ts'
import { removeFolder, type WorkFolders, workTreeName } from './work-folders.ts'

/** Does an order on a copy of the project's base that is thrown away. Rejects with a sentence for the reader, or when `signal` aborts. */
export const previewOrder = async (
  order: MaintenanceOrder,
  { project, workFolders }: { project: Project; workFolders: WorkFolders },
  signal: AbortSignal,
): Promise<Outcome> => {
  const { git, gitDir, folder } = project
  const scratch = await workFolders.create()
  try {
    const { commit } = await project.base(signal)
    const checkout = join(scratch, workTreeName)
    await checkOut({ git, gitDir, commit, workTree: checkout, index: join(scratch, 'index') })
    return await runRecipe({ order, checkout, folder, gitDir, commit }, signal)
  } finally {
    await removeFolder(scratch)
  }
}
