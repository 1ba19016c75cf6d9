import { type FolderState, syncFolder } from './folder/folder-state.ts'
import { inTurn } from './in-turn.ts'
import type { Repository } from './repository.ts'

/** Brings changes of a project's folder or repository into ours. Null unless it is a folder. */
export const syncOrigin = (repository: Repository): Promise<FolderState | null> =>
  inTurn(repository.gitDir, async () => {
    const { origin } = repository
    if ('path' in origin) return syncFolder({ ...repository, origin })
    await origin.sync()
    return null
  })
