import { createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isDataFile } from './data-files.ts'
import { BackupRefused } from './refused.ts'

/** Files of a backup on their way into a data folder. Nothing is in its place before `keep`. */
export type DataFiles = {
  /** Refuses a folder in which the embedded Admin API has worked. */
  refuseUnlessFresh: () => Promise<void>
  take: (path: string, sizeBytes: number, content: Readable) => Promise<void>
  keep: () => Promise<void>
  clean: () => Promise<void>
}

const sync = async (path: string): Promise<void> => {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])

/** Collects them beside their place, in the same folder, so that they can be renamed. */
export const dataFilesInPlace = (dataDir: string): DataFiles => {
  const collected = join(dataDir, 'restore.new')
  return {
    refuseUnlessFresh: async () => {
      // Of a restore that was killed.
      await rm(collected, { recursive: true, force: true })
      const jobs = ['static-exports/jobs', 'agent-jobs'].map((folder) => join(dataDir, 'local-admin-api', folder))
      for (const folder of jobs)
        if ((await namesIn(folder)).length > 0)
          throw new BackupRefused(
            `The embedded Admin API has jobs in ${folder}. A restore overwrites nothing: name a DATA_DIR that does not exist. Nothing was changed.`,
          )
    },
    take: async (path, sizeBytes, content) => {
      if (!isDataFile(path))
        throw new BackupRefused(`The backup holds a file that belongs to none of Docket's places: ${path}.`)
      const file = join(collected, path)
      await mkdir(dirname(file), { recursive: true, mode: 0o700 })
      await pipeline(content, createWriteStream(file, { mode: 0o600, flush: true }))
      if ((await stat(file)).size !== sizeBytes) throw new BackupRefused(`The backup holds only a part of ${path}.`)
    },
    keep: async () => {
      for (const name of await namesIn(collected)) {
        await rm(join(dataDir, name), { recursive: true, force: true })
        await rename(join(collected, name), join(dataDir, name))
      }
      await sync(dataDir)
    },
    clean: () => rm(collected, { recursive: true, force: true }),
  }
}
