import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Git } from '@docket/sources/git/git'

/** What the files hold byte for byte is what is checked out: no conversion, and no filter that a repository could name. */
const attributes = '* -text -ident -filter -working-tree-encoding\n'

/** Files of `commit` under `workTree`, which is made, with an index of their own. No hook, filter or conversion is run. */
export const checkOut = async (order: {
  git: Git
  gitDir: string
  commit: string
  workTree: string
  index: string
}): Promise<void> => {
  const { git, gitDir, commit, workTree, index } = order
  await mkdir(join(gitDir, 'info'), { recursive: true })
  // The one place that outranks every .gitattributes.
  await writeFile(join(gitDir, 'info', 'attributes'), attributes)
  await mkdir(workTree, { recursive: true, mode: 0o700 })
  await git(['read-tree', commit], { workTree, index })
  await git(['checkout-index', '--all', '--index'], { workTree, index })
}
