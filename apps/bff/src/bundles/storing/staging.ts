import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { linkFile } from './fetch-bundle.ts'

const isMissingFolder = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

const listFolderNames = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: unknown) => {
    if (isMissingFolder(error)) return []
    throw error
  })

/** Folders for bundles that are being stored, one for each process and bundle. They are useless once their process ended. */
export const createStagingFolders = (options: { folder: string; processId: string }) => {
  const { folder, processId } = options
  const uploads = join(folder, 'uploads')
  const toUpload = (exportId: string) => join(uploads, exportId)
  return {
    toUpload,
    /** Keeps the files of an upload when this process ends. */
    keepUpload: async (exportId: string, file: string): Promise<void> => {
      await mkdir(uploads, { recursive: true, mode: 0o700 })
      await linkFile(file, toUpload(exportId))
    },
    listUploads: (): Promise<string[]> => listFolderNames(uploads),
    /** Opens an empty folder for `name`. Dispose of it to remove it with everything in it. */
    open: async (name: string): Promise<{ path: string } & AsyncDisposable> => {
      const path = join(folder, processId, name)
      await rm(path, { recursive: true, force: true })
      await mkdir(path, { recursive: true, mode: 0o700 })
      return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
    },
    listOthers: async (): Promise<string[]> => (await listFolderNames(folder)).filter((name) => name !== processId),
    remove: (ended: string) => rm(join(folder, ended), { recursive: true, force: true }),
  }
}

export type StagingFolders = ReturnType<typeof createStagingFolders>
