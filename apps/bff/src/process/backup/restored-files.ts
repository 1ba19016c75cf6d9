import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { syncToDisk } from '#ground/data-folder/private-file.ts'
import type { ObjectStorage } from '@docket/artifact-store/object-storage'
import { secretsInFolder } from '#ground/secret/secrets.ts'
import { artifactFolder, isDataFile } from './data-files.ts'
import type { Manifest } from './manifest.ts'
import { BackupRefused } from './refused.ts'

const ignoreMissing = (error: NodeJS.ErrnoException) => {
  if (error.code !== 'ENOENT') throw error
  return false
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
    /** Moves bundles of the backup into their store, unless it has them. */
    moveBundles: async (files: Manifest['files'], storage: ObjectStorage) => {
      const folder = `${artifactFolder}/`
      for (const { path, sizeBytes } of files) {
        const key = path.startsWith(folder) ? path.slice(folder.length) : '.'
        if (/(^|\/)\./.test(key) || (await storage.readSize(key)) === sizeBytes) continue
        await storage.put(key, join(collected, path))
      }
      await rm(join(collected, artifactFolder), { recursive: true, force: true })
    },
    /** Returns the new names of what was there: it may be newer than the backup, or the only copy of a secret. */
    keep: async (): Promise<string[]> => {
      const ending = `.replaced-${new Date().toISOString().replaceAll(':', '')}`
      const replaced: string[] = []
      for (const name of await namesIn(collected)) {
        const place = join(dataDir, name)
        const isThere = await rename(place, place + ending).then(() => true, ignoreMissing)
        if (isThere) replaced.push(name + ending)
        await rename(join(collected, name), place)
      }
      await syncToDisk(dataDir)
      return replaced
    },
    clean: () => rm(collected, { recursive: true, force: true }),
  }
}

/** Files of a backup on their way into a data folder. `keep` moves them into place. */
export type DataFiles = ReturnType<typeof dataFilesInPlace>
