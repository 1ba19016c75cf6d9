import { StorageFailed } from '@docket/artifact-store/object-storage'
import { SiteMissing, type StoredSite } from '@docket/site-bundle/open-site'
import { AppError } from '#ground/errors/app-error.ts'
import { notKept } from './artifacts.rows.ts'

export const storeLost = () => notKept('The stored bundle is gone from its store. Store it again.')

/** Waits for the store. Its failures become `busy`, or `not_found` for missing objects, with a readable message. */
export const explainStore = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    if (error instanceof SiteMissing) throw storeLost()
    if (error instanceof StorageFailed) throw new AppError('busy', `${error.message} Try again.`, { cause: error })
    throw error
  }
}

export const explainSite = (site: StoredSite): StoredSite => ({
  manifest: () => explainStore(site.manifest()),
  report: () => explainStore(site.report()),
  find: (path) => explainStore(site.find(path)),
  read: (path, range) => explainStore(site.read(path, range)),
  readEncoded: (path) => explainStore(site.readEncoded(path)),
})
