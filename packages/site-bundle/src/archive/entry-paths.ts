import { hash } from 'node:crypto'
import type { Bounds } from '#bounds.ts'
import { ArchiveRefused, controlCharacter, quoteName, throwRefusal } from './archive-file.ts'

/** Checks the names of an archive's entries, one after the other, and remembers them. Throws `ArchiveRefused`. */
export type EntryPaths = {
  /** Normalised path of a file: relative, with `/`, without empty or `.` parts. */
  addFile(name: string): string
  addFolder(name: string): void
}

/** Names that differ by case or normal form alone would be one file on some systems. */
export const createEntryPaths = (bounds: Bounds): EntryPaths => {
  const seen = new Map<string, 'file' | 'folder'>()
  let pathBytes = 0
  let entries = 0

  const count = (path: string) => {
    pathBytes += path.length
    entries += 1
    if (entries > bounds.entries)
      throw new ArchiveRefused(
        'too_large',
        `The archive has more than ${formatNumber(bounds.entries)} files and folders.`,
      )
    if (pathBytes > bounds.allPathBytes)
      throw new ArchiveRefused('too_large', 'The names of the files in the archive are too long altogether.')
  }
  const addFolders = (parts: readonly string[]) => {
    // From the inside out: a known folder has known parents.
    for (let depth = parts.length; depth > 0; depth -= 1) {
      const path = parts.slice(0, depth).join('/')
      const key = toCollisionKey(path)
      const known = seen.get(key)
      if (known === 'folder') return
      if (known === 'file') throwRefusal(`${quoteName(path)} is a file and a folder.`)
      count(path)
      seen.set(key, 'folder')
    }
  }
  return {
    addFile: (name) => {
      const parts = splitSafeName(name, bounds)
      if (parts.length === 0) throwRefusal(`${quoteName(name)} is not the name of a file.`)
      const path = parts.join('/')
      const key = toCollisionKey(path)
      const known = seen.get(key)
      if (known === 'folder') throwRefusal(`${quoteName(path)} is a file and a folder.`)
      if (known === 'file')
        throwRefusal(
          `${quoteName(path)} is in the archive twice, or beside a name that differs by case or accents' encoding alone.`,
        )
      addFolders(parts.slice(0, -1))
      count(path)
      seen.set(key, 'file')
      return path
    },
    addFolder: (name) => addFolders(splitSafeName(name, bounds)),
  }
}

/** Empty for the archive's own folder. */
const splitSafeName = (name: string, bounds: Bounds) => {
  if (Buffer.byteLength(name) > bounds.pathBytes)
    throwRefusal(`${quoteName(name)} is longer than ${formatNumber(bounds.pathBytes)} bytes.`)
  if (controlCharacter.test(name)) throwRefusal(`${quoteName(name)} has a control character in its name.`)
  if (name.includes('\\')) throwRefusal(`${quoteName(name)} has a backslash in its name.`)
  if (name.startsWith('/') || /^[a-z]:/i.test(name)) throwRefusal(`${quoteName(name)} is an absolute path.`)
  const parts = name.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.includes('..')) throwRefusal(`${quoteName(name)} leads out of the archive.`)
  if (parts.length - 1 > bounds.depth) throwRefusal(`${quoteName(name)} is in more than ${bounds.depth} folders.`)
  return parts
}

/** Long names are hashed, so that a hostile archive cannot fill the memory with them. */
const toCollisionKey = (path: string) => {
  const folded = path.normalize('NFC').toLowerCase()
  return folded.length > 64 ? hash('sha256', folded, 'base64') : folded
}

const formatNumber = (count: number) => count.toLocaleString('en')
