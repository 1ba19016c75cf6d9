import { pathToFileURL } from 'node:url'
import type { SiteSource } from '@docket/sources/site-source'
import { type FolderState, syncFolder } from '#embedded/folder/folder-state.ts'
import { inTurn, type Repository, mainBranch } from './repository.ts'
import type { Repositories } from './repositories.ts'

/** Merges changes of a project's folder or repository into our copy. Null unless it is a folder. */
export const syncOrigin = (repository: Repository): Promise<FolderState | null> =>
  inTurn(repository.gitDir, async () => {
    const { origin } = repository
    if ('path' in origin) return syncFolder({ ...repository, origin })
    await origin.sync()
    return null
  })

/** The main branch when it has commits that the site's folder lacks, so that a merge is exported before the folder is updated. */
export const mergedSource = async (source: SiteSource, repositories: Repositories): Promise<SiteSource> => {
  if (source.kind !== 'folder') return source
  const repository = await repositories.findByFolder(source.folder)
  if (!repository) return source
  const state = await syncOrigin(repository)
  if (!state?.head || state.behind === 0) return source
  const address = pathToFileURL(repository.gitDir).href
  return { kind: 'git', repository: address, ref: mainBranch, folder: repository.folder }
}
