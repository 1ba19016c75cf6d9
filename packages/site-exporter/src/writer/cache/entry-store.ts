import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { toDigest } from './data-text.ts'

type CacheLimits = {
  maxBytes: number
  /** Maximum time since the last use. Milliseconds. */
  maxAgeMs: number
}

const dayMs = 86_400_000
export const cacheLimits: CacheLimits = { maxBytes: 1024 ** 3, maxAgeMs: 30 * dayMs }

const maxEntryBytes = 16 * 1024 * 1024
/** Minimum time between two updates of an entry's last use. Milliseconds. */
const useEveryMs = dayMs / 24
const digestLength = toDigest('').length

/**
 * Entries below `folder`, one file each, by the digest that is their key. Many exports may use the folder at once: a file appears complete or
 * not at all. A file that cannot be read or is damaged counts as missing, and a full disk only means that nothing is stored. Files are read
 * and written synchronously: a hop to another thread would cost more.
 */
export const openEntryStore = (folder: string, now: () => number = Date.now) => {
  const toFile = (key: string) => join(folder, key.slice(0, 2), key)
  return {
    read: (key: string): unknown => {
      const file = toFile(key)
      try {
        const content = readFileSync(file)
        const [digest, value] = [content.toString('latin1', 0, digestLength), content.subarray(digestLength)]
        if (digest !== toDigest(key, value)) return null
        const at = now()
        if (at - statSync(file).mtimeMs > useEveryMs) utimesSync(file, at / 1000, at / 1000)
        return deserialize(value) as unknown
      } catch {
        return null
      }
    },
    write: (key: string, value: unknown): void => {
      const content = serialize(value)
      if (content.length > maxEntryBytes) return
      const file = toFile(key)
      const unfinished = `${file}.${randomUUID()}`
      try {
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
        writeFileSync(unfinished, Buffer.concat([Buffer.from(toDigest(key, content), 'latin1'), content]), {
          mode: 0o600,
        })
        renameSync(unfinished, file)
      } catch {
        removeQuietly(unfinished)
      }
    },
    /** Removes entries that are too old, and then the oldest ones beyond the size limit. */
    sweep: ({ maxBytes, maxAgeMs }: CacheLimits): void => {
      const files = listFiles(folder).map((file) => {
        const { size, mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? { size: 0, mtimeMs: 0 }
        return { file, size, mtimeMs }
      })
      let bytes = 0
      for (const { file, size, mtimeMs } of files.toSorted((a, b) => b.mtimeMs - a.mtimeMs)) {
        bytes += size
        if (bytes > maxBytes || now() - mtimeMs > maxAgeMs) removeQuietly(file)
      }
    },
  }
}

const listFiles = (folder: string): string[] => {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
    )
  } catch {
    return []
  }
}

/** Ignores failures, because a later export removes the entry. */
const removeQuietly = (file: string) => {
  try {
    rmSync(file, { force: true })
  } catch {
    // The folder may be read-only, or not a folder.
  }
}
