import { StorageFailed } from '@docket/artifact-store/object-storage'
import { SiteMissing, type StoredSite } from '@docket/site-bundle/open-site'
import { AppError } from '#ground/errors/app-error.ts'
import { notKeptError } from './artifacts.rows.ts'

export const storeLostError = () => notKeptError('The saved bundle is gone from its store. Save it again.')

/** Waits for the store. Its failures become `busy`, or `not_found` for missing objects, with a readable message. */
export const explainStoreFailures = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    if (error instanceof SiteMissing) throw storeLostError()
    if (error instanceof StorageFailed) throw new AppError('busy', `${error.message} Try again.`, { cause: error })
    throw error
  }
}

export const explainSiteFailures = (site: StoredSite): StoredSite => ({
  manifest: () => explainStoreFailures(site.manifest()),
  report: () => explainStoreFailures(site.report()),
  find: (path) => explainStoreFailures(site.find(path)),
  read: (path, range) => explainStoreFailures(site.read(path, range)),
  readEncoded: (path) => explainStoreFailures(site.readEncoded(path)),
})
