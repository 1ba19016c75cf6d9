import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Records kept as one JSON file each. An id that is not a plain name finds nothing. */
export type JsonFolder<T> = {
  read(id: string): Promise<T | null>
  readAll(): Promise<T[]>
  /** Resolves when the record is on the disk; a crash leaves the old one or the new one, never half of it. */
  write(id: string, record: T): Promise<void>
  remove(id: string): Promise<void>
}

const plainName = /^[\w-]{1,100}$/

/** The records under `folder`, which is made when the first one is written. */
export const jsonFolder = <T>(folder: string): JsonFolder<T> => {
  const fileOf = (id: string) => join(folder, `${id}.json`)
  const parse = async (file: string): Promise<T | null> => {
    try {
      return JSON.parse(await readFile(file, 'utf8')) as T
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
      throw error
    }
  }
  return {
    read: async (id) => (plainName.test(id) ? parse(fileOf(id)) : null),
    readAll: async () => {
      const names = await readdir(folder).catch(() => [])
      const records = await Promise.all(
        names.filter((name) => name.endsWith('.json')).map((name) => parse(join(folder, name))),
      )
      return records.filter((record) => record !== null)
    },
    write: async (id, record) => {
      if (!plainName.test(id)) throw new TypeError('A record needs a plain name.')
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const draft = `${fileOf(id)}.${process.pid}.${Math.random().toString(36).slice(2)}.tmp`
      try {
        await writeDurably(draft, JSON.stringify(record))
        await rename(draft, fileOf(id))
        await syncFolder(folder)
      } catch (error) {
        await rm(draft, { force: true })
        throw error
      }
    },
    remove: async (id) => {
      if (plainName.test(id)) await rm(fileOf(id), { force: true })
    },
  }
}

const writeDurably = async (file: string, text: string) => {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Makes the rename itself survive a power cut; a file system that cannot sync folders is left alone. */
const syncFolder = async (folder: string) => {
  const handle = await open(folder, 'r')
  try {
    await handle.sync().catch(() => {})
  } finally {
    await handle.close()
  }
}
