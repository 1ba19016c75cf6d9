import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** Folders for bundles that are being stored, one for each process and bundle. They are useless once their process ended. */
export const stagingFolders = (options: { folder: string; processId: string }) => {
  const { folder, processId } = options
  return {
    /** Opens an empty folder for `name`. Dispose of it to remove it with everything in it. */
    open: async (name: string): Promise<{ path: string } & AsyncDisposable> => {
      const path = join(folder, processId, name)
      await rm(path, { recursive: true, force: true })
      await mkdir(path, { recursive: true, mode: 0o700 })
      return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
    },
    /** Processes that have folders here, apart from this one. */
    listOthers: async (): Promise<string[]> => {
      const names = await readdir(folder).catch((error: unknown) => {
        if (isMissing(error)) return []
        throw error
      })
      return names.filter((name) => name !== processId)
    },
    /** Removes the folders of a process that ended. */
    remove: (ended: string) => rm(join(folder, ended), { recursive: true, force: true }),
  }
}

export type StagingFolders = ReturnType<typeof stagingFolders>
