import { existsSync } from 'node:fs'
import { mkdir, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inTurn } from '#embedded/in-turn.ts'
import { changeRefs } from '#embedded/pull-requests/pull-requests.ts'
import { mainBranch, type FolderRepository } from '#embedded/repository.ts'
import { type FolderState, listNames, syncFolder, writingRef } from './folder-state.ts'
import { type Change, type FolderChange, listChanges } from './folder-tree.ts'
import { syncedRef } from './import-folder.ts'
import { findRefused, writeChange } from './write-files.ts'
import type { WorkTree } from './work-tree.ts'

export type FolderUpdate = { changed: boolean; refused: string | null }

/**
 * Writes the main branch into the folder, by fast-forward and only over files that nobody changed. `seenMain` is the commit that the
 * person saw. Each file is replaced whole; a repetition completes an update that a crash interrupted.
 */
export const updateFolder = (repository: FolderRepository, seenMain: string): Promise<FolderUpdate> =>
  inTurn(repository.gitDir, async () => {
    const state = await syncFolder(repository)
    const { main, head, writing, problem } = state
    const refuse = (refused: string | null) => ({ changed: false, refused })
    if (main !== seenMain)
      return refuse('The main branch has changed since you opened the page. Look at the new commits first.')
    if (problem !== null || head === null) return refuse(problem)
    if (head === main && writing === null) return refuse(null)
    const changes = await planChanges(repository, { head, main, writing })
    const place = { root: await realpath(state.workTree?.root ?? repository.origin.path), prefix: repository.folder }
    const refused = await findRefused(place, changes)
    if (refused.length > 0)
      return refuse(
        `Docket can’t update ${listNames(refused)}: changed in the folder, outside of it, or no plain file. Nothing was written.`,
      )
    const reason = state.workTree && (await findGitReason(repository, state.workTree, state))
    if (reason) return refuse(reason)
    await write(repository, { place, changes, state })
    return { changed: true, refused: null }
  })

type Place = { root: string; prefix: string }

const planChanges = async (
  { git }: FolderRepository,
  { head, main, writing }: { head: string; main: string; writing: string | null },
): Promise<FolderChange[]> => {
  const toMain = await listChanges(git, head, main)
  const toWriting = writing === null ? [] : await listChanges(git, head, writing)
  const begun = new Map(toWriting.map((change) => [change.path, change]))
  const planned = new Map(toMain.map((change) => [change.path, change]))
  // What an interrupted update wrote may have to go back to what the main branch has now.
  for (const { path, before } of toWriting) if (!planned.has(path)) planned.set(path, { path, before, after: before })
  return [...planned.values()].map(({ path, before, after }: Change) => {
    const also = begun.get(path)
    return { path, after, known: [before, after, ...(also ? [also.after] : [])] }
  })
}

/** Reason why the git repository of the folder can't move to the main branch now. */
const findGitReason = async (
  { git }: FolderRepository,
  { gitDir }: WorkTree,
  { head, main, writing }: FolderState,
): Promise<string | null> => {
  if (existsSync(join(gitDir, 'index.lock')) || existsSync(join(gitDir, 'MERGE_HEAD')))
    return 'Git is at work in the folder: a merge or another command isn’t finished there. Nothing was written.'
  const index = join(gitDir, 'index')
  const staged = async (commit: string) =>
    (await git(['diff-index', '--cached', '--name-only', '-z', '--ignore-submodules=all', commit], { index }))
      .split('\0')
      .filter((name) => name !== '')
  const sinceHead = existsSync(index) ? await staged(head!) : []
  if (sinceHead.length === 0) return null
  // An interrupted update may have come that far.
  for (const commit of [main, writing]) if (commit !== null && (await staged(commit)).length === 0) return null
  return `The folder has staged changes: ${listNames(sinceHead)}. Commit or undo them. Nothing was written.`
}

const write = async (
  repository: FolderRepository,
  { place, changes, state }: { place: Place; changes: readonly FolderChange[]; state: FolderState },
) => {
  const { git, gitDir, origin } = repository
  const { main, head, workTree } = state
  const draft = join(gitDir, 'folder.draft')
  const index = join(gitDir, 'folder.draft.index')
  await rm(draft, { recursive: true, force: true })
  await rm(index, { force: true })
  await mkdir(draft, { mode: 0o700 })
  try {
    const options = { workTree: draft, index }
    await git(['read-tree', main], options)
    const wanted = changes.filter(({ after }) => after !== null).map(({ path }) => path)
    const config = ['core.autocrlf=false', 'core.eol=lf', 'core.symlinks=false']
    await git(['checkout-index', '--force', '-z', '--stdin'], { ...options, input: wanted.join('\0'), config })
    if (workTree) {
      // Only objects: no ref of theirs moves before the files are there.
      const remote = pathToFileURL(gitDir).href
      const quietly = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules']
      await workTree.git(['fetch', ...quietly, '--', remote, `refs/heads/${mainBranch}`], { remote })
    }
    await changeRefs(repository, [`update ${writingRef} ${main}`])
    for (const change of changes) await writeChange(place, change, draft)
    if (workTree) await moveBranch(repository, workTree, { branch: origin.branch!, from: head!, to: main })
    const synced = workTree ? [] : [`update ${syncedRef} ${main}`]
    await changeRefs(repository, [...synced, `delete ${writingRef}`])
  } finally {
    await rm(draft, { recursive: true, force: true })
    await rm(index, { force: true })
  }
}

/** Moves their branch and index to the commit whose files are there already, as a fast-forward merge would. */
const moveBranch = async (
  { git }: FolderRepository,
  { git: theirGit, gitDir, root }: WorkTree,
  { branch, from, to }: { branch: string; from: string; to: string },
) => {
  const reason = ['-m', 'docket: Update the folder']
  if (from !== to) await theirGit(['update-ref', ...reason, `refs/heads/${branch}`, to, from])
  const options = { workTree: root, index: join(gitDir, 'index'), goodExit: 1 }
  await git(['read-tree', '-m', '-i', to], options)
  await git(['update-index', '-q', '--ignore-submodules', '--refresh'], options)
}
