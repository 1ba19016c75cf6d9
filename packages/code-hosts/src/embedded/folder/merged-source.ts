import { pathToFileURL } from 'node:url'
import type { SiteSource } from '@docket/sources/site-source'
import { type Repositories } from '#embedded/repositories.ts'
import { mainBranch } from '#embedded/repository.ts'
import { syncOrigin } from '#embedded/sync-origin.ts'

/**
 * The main branch as the source of a site whose folder is a project's, once it has commits that the folder lacks; else the source as it
 * is. So a merged change is exported before anybody updates the folder.
 */
export const mergedSource = async (source: SiteSource, repositories: Repositories): Promise<SiteSource> => {
  if (source.kind !== 'folder') return source
  const repository = await repositories.findByFolder(source.folder)
  if (!repository) return source
  const state = await syncOrigin(repository)
  if (!state?.head || state.behind === 0) return source
  const address = pathToFileURL(repository.gitDir).href
  return { kind: 'git', repository: address, ref: mainBranch, folder: repository.folder }
}
