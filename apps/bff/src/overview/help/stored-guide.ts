import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createDiskStorage } from '@docket/artifact-store/local-disk/disk-storage'
import { openSite, type StoredSite } from '@docket/site-bundle/open-site'

/** Folder with the user guide as the build stores it: one bundle. */
export const guideFolder = join(import.meta.dirname, '..', '..', '..', 'dist', 'guide')

/** The user guide in a folder. A build may replace it while Docket runs. */
export const openStoredGuide = (folder: string) => {
  const storage = createDiskStorage(folder)
  return {
    /** SHA-256 of the bundle of the guide. Null when it was not built. */
    findSum: async (): Promise<string | null> => {
      const names = await readdir(join(folder, 'sha256')).catch(() => [])
      return names.find((name) => /^[\da-f]{64}$/.test(name)) ?? null
    },
    open: (sha256: string): StoredSite => openSite(storage, sha256),
  }
}

export type Guide = ReturnType<typeof openStoredGuide>
