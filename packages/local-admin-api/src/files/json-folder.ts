import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeDurably } from '#files/write-durably.ts'

/** Records kept as one JSON file each. An id that is not a plain name finds nothing, and so does a file that is not JSON. */
export type JsonFolder<T> = {
  read(id: string): Promise<T | null>
  readAll(): Promise<T[]>
  /** Resolves when the record is on the disk; a crash leaves the old one or the new one, never half of it. */
  write(id: string, record: T): Promise<void>
  remove(id: string): Promise<void>
}

const plainName = /^[\w-]{1,100}$/
/** Files read at the same time: a folder of thousands must not use up the descriptors of the process. */
const atOnce = 64

/** The records under `folder`, which is made when the first one is written. */
export const jsonFolder = <T>(folder: string): JsonFolder<T> => {
  const fileOf = (id: string) => join(folder, `${id}.json`)
  const parse = async (file: string): Promise<T | null> => {
    try {
      return JSON.parse(await readFile(file, 'utf8')) as T
    } catch (error) {
      // One damaged file must not keep the whole service from starting.
      if (error instanceof SyntaxError || isMissing(error)) return null
      throw error
    }
  }
  const namesIn = () =>
    readdir(folder).catch((error: unknown) => {
      if (isMissing(error)) return []
      throw error
    })
  return {
    read: async (id) => (plainName.test(id) ? parse(fileOf(id)) : null),
    readAll: async () => {
      const names = (await namesIn()).filter((name) => name.endsWith('.json'))
      const records: (T | null)[] = []
      for (let first = 0; first < names.length; first += atOnce) {
        const some = names.slice(first, first + atOnce)
        records.push(...(await Promise.all(some.map((name) => parse(join(folder, name))))))
      }
      return records.filter((record) => record !== null)
    },
    write: async (id, record) => {
      if (!plainName.test(id)) throw new TypeError('A record needs a plain name.')
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeDurably(fileOf(id), JSON.stringify(record), 0o600)
    },
    remove: async (id) => {
      if (plainName.test(id)) await rm(fileOf(id), { force: true })
    },
  }
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'
