import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { diskStorage } from '@docket/artifact-store/local-disk/disk-storage'
import { openSite, type StoredSite } from '@docket/site-bundle/open-site'

/** Folder with the user guide as the build stores it: one bundle. */
export const guideFolder = join(import.meta.dirname, '..', '..', 'dist', 'guide')

/** Opens the user guide in a folder. Null when nobody built it. Follows a build that replaces it while Docket runs. */
export const guideOpener = (folder: string): (() => Promise<StoredSite | null>) => {
  const storage = diskStorage(folder)
  return async () => {
    const names = await readdir(join(folder, 'sha256')).catch(() => [])
    const sha256 = names.find((name) => /^[\da-f]{64}$/.test(name))
    return sha256 === undefined ? null : openSite(storage, sha256)
  }
}
