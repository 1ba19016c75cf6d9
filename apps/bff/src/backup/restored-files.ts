import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { syncToDisk } from '#data-folder/private-file.ts'
import { isSecretFile, secretsInFolder } from '#secret/secrets.ts'
import { isDataFile } from './data-files.ts'
import { BackupRefused } from './refused.ts'

const ignoreMissing = (error: NodeJS.ErrnoException) => {
  if (error.code !== 'ENOENT') throw error
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])

/** Collects the files in the same folder, so that `keep` can rename them. */
export const dataFilesInPlace = (dataDir: string) => {
  const collected = join(dataDir, 'restore.new')
  return {
    /** Refuses a folder in which the embedded Admin API has worked. */
    refuseUnlessFresh: async () => {
      // Leftover of a killed restore.
      await rm(collected, { recursive: true, force: true })
      const jobs = ['static-exports/jobs', 'agent-jobs'].map((folder) => join(dataDir, 'local-admin-api', folder))
      for (const folder of jobs)
        if ((await namesIn(folder)).length > 0)
          throw new BackupRefused(
            `The embedded Admin API has jobs in ${folder}. A restore overwrites nothing: name a DATA_DIR that does not exist. Nothing was changed.`,
          )
    },
    take: async (path: string, sizeBytes: number, content: Readable) => {
      if (!isDataFile(path))
        throw new BackupRefused(`The backup holds a file that belongs to none of Docket's places: ${path}.`)
      const file = join(collected, path)
      await mkdir(dirname(file), { recursive: true, mode: 0o700 })
      await pipeline(content, createWriteStream(file, { mode: 0o600, flush: true }))
      if ((await stat(file)).size !== sizeBytes) throw new BackupRefused(`The backup holds only a part of ${path}.`)
    },
    /** Secrets among the files; `current` is null when the backup has none. */
    secrets: () => secretsInFolder(collected),
    keep: async () => {
      const replaced = `replaced-${new Date().toISOString().replaceAll(':', '')}`
      for (const name of await namesIn(collected)) {
        const place = join(dataDir, name)
        // This file may be the only copy of another database's secret.
        if (isSecretFile(name)) await rename(place, `${place}.${replaced}`).catch(ignoreMissing)
        await rm(place, { recursive: true, force: true })
        await rename(join(collected, name), place)
      }
      await syncToDisk(dataDir)
    },
    clean: () => rm(collected, { recursive: true, force: true }),
  }
}

/** Files of a backup on their way into a data folder. `keep` moves them into place. */
export type DataFiles = ReturnType<typeof dataFilesInPlace>
