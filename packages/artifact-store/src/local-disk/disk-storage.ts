import { randomUUID } from 'node:crypto'
import { constants, type Dirent } from 'node:fs'
import {
  copyFile,
  link,
  mkdir,
  open,
  opendir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  statfs,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  assertKey,
  checkContent,
  StorageFailed,
  StorageFull,
  type ByteRange,
  type ListedObject,
  type ObjectStorage,
} from '#object-storage.ts'
import { readFilePieces } from './file-pieces.ts'
import { syncFile, syncFolder } from './write-durably.ts'

/** Folder for unfinished files, on the same file system. No key begins with a dot. */
const unfinishedFolder = '.unfinished'
const markerFile = '.docket-storage'
/** Errors when a hard link is impossible: no support, another owner, too many links, or another file system. */
const cannotLink = new Set(['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EACCES'])

/** Objects as files under `folder`, which the first write creates. */
export const createDiskStorage = (folder: string): ObjectStorage => {
  const toPath = (key: string) => {
    assertKey(key)
    return join(folder, key)
  }
  const unfinished = join(folder, unfinishedFolder)
  const marker = join(folder, markerFile)

  const withTemporary = async <T>(write: (temporary: string) => Promise<T>): Promise<T> => {
    await mkdir(unfinished, { recursive: true })
    const temporary = join(unfinished, randomUUID())
    try {
      return await write(temporary)
    } finally {
      await rm(temporary, { force: true })
    }
  }
  const readMarker = async () => {
    const content = await nullIfMissing(readFile(marker, 'utf8'))
    if (content === null) return null
    if (!/^[\w-]{36}\n$/.test(content)) throw new StorageFailed('The marker file of the storage folder is damaged.')
    return content.trim()
  }

  return {
    put: (key, file, options) => {
      const target = toPath(key)
      return wrapFailure('keep', async () => {
        await syncFile(file)
        const moved = options?.link !== true && (await succeedsUnlessCode(['EXDEV'], placeFile(file, target)))
        if (moved) return
        await withTemporary(async (temporary) => {
          const linked = options?.link === true && (await succeedsUnlessCode(cannotLink, link(file, temporary)))
          if (!linked) {
            await copyFile(file, temporary, constants.COPYFILE_FICLONE)
            await syncFile(temporary)
          }
          await placeFile(temporary, target)
        })
        if (options?.link !== true) await rm(file, { force: true })
      })
    },
    readSize: (key) => wrapFailure('find', async () => (await nullIfMissing(stat(toPath(key))))?.size ?? null),
    read: async (key, range) => {
      const file = toPath(key)
      return wrapFailure('read', async () => {
        const found = await openRange(file, range)
        if (found === null) return null
        const { handle, start, end } = found
        const source = handle.createReadStream({ start, end: Math.max(start, end), highWaterMark: 256 * 1024 })
        return checkContent(source, end - start + 1, (error) => toStorageFailed('read', error))
      })
    },
    readPieces: async (key, range) => {
      const file = toPath(key)
      return wrapFailure('read', async () => {
        const found = await openRange(file, range)
        return found === null ? null : readFilePieces(found.handle, found)
      })
    },
    list: (prefix) => listFiles(folder, prefix),
    remove: (key) =>
      wrapFailure('remove', async () => {
        await rm(toPath(key), { force: true })
        await removeEmptyFolders(folder, key)
      }),
    removeUnfinished: (_, before) =>
      wrapFailure('clean up after', async () => {
        let count = 0
        for await (const entry of readFolder(unfinished)) {
          const file = join(unfinished, entry.name)
          // A hard link has the modification time of its file, but its own change time.
          if (((await nullIfMissing(stat(file)))?.ctimeMs ?? Infinity) >= before.getTime()) continue
          await rm(file, { force: true })
          count += 1
        }
        return count
      }),
    check: () =>
      wrapFailure('keep', async () => {
        const content = randomUUID()
        await withTemporary(async (file) => {
          await writeFile(file, content)
          await syncFile(file)
          if ((await readFile(file, 'utf8')) !== content)
            throw new StorageFailed('The storage folder returned other bytes than were written.')
        })
        const { bavail, bsize } = await statfs(folder)
        return { freeBytes: bavail * bsize }
      }),
    readMarker: () => wrapFailure('find the marker of', readMarker),
    ensureMarker: () =>
      wrapFailure('keep', async () => {
        const found = await readMarker()
        if (found !== null) return found
        await withTemporary(async (temporary) => {
          await writeFile(temporary, `${randomUUID()}\n`, { flush: true })
          // If several replicas link at once, exactly one succeeds, and its content is complete.
          const linked = await succeedsUnlessCode([...cannotLink, 'EEXIST'], link(temporary, marker))
          if (!linked) await succeedsUnlessCode(['EEXIST'], copyFile(temporary, marker, constants.COPYFILE_EXCL))
        })
        await syncFolder(folder)
        const id = await readMarker()
        if (id === null) throw new StorageFailed('The storage folder lost its marker file.')
        return id
      }),
  }
}

/** Null for a missing file. */
const openRange = async (file: string, range: ByteRange | undefined) => {
  const handle = await nullIfMissing(open(file))
  if (handle === null) return null
  try {
    const { size } = await handle.stat()
    const { start, end } = range ?? { start: 0, end: size - 1 }
    if (end >= size) throw new StorageFailed('The stored file is shorter than it should be.')
    return { handle, start, end }
  } catch (error) {
    await handle.close()
    throw error
  }
}

const placeFile = async (file: string, target: string, attempts = 20): Promise<void> => {
  const parent = dirname(target)
  let firstCreated: string | undefined
  try {
    firstCreated = await mkdir(parent, { recursive: true })
    await rename(file, target)
  } catch (error) {
    // Removing another object may have removed the empty folder meanwhile.
    if (readErrorCode(error) === 'ENOENT' && attempts > 1) return placeFile(file, target, attempts - 1)
    throw error
  }
  const last = firstCreated === undefined ? parent : dirname(firstCreated)
  // Another process may be removing the object.
  for (let folder = parent; folder.length >= last.length; folder = dirname(folder))
    await succeedsUnlessCode(['ENOENT'], syncFolder(folder))
}

async function* listFiles(folder: string, prefix: string): AsyncGenerator<ListedObject> {
  const parent = prefix.slice(0, prefix.lastIndexOf('/') + 1)
  const walk = async function* (path: string): AsyncGenerator<ListedObject> {
    for await (const entry of readFolder(join(folder, path))) {
      const key = path + entry.name
      const isWanted = key.startsWith(prefix) || prefix.startsWith(`${key}/`)
      if (entry.name.startsWith('.') || !isWanted) continue
      if (entry.isDirectory()) yield* walk(`${key}/`)
      if (!entry.isFile()) continue
      const found = await nullIfMissing(stat(join(folder, key)))
      if (found !== null) yield { key, sizeBytes: found.size, modifiedAt: found.mtime }
    }
  }
  if (parent !== '') assertKey(parent.slice(0, -1))
  try {
    yield* walk(parent)
  } catch (error) {
    throw toStorageFailed('list', error)
  }
}

async function* readFolder(folder: string): AsyncGenerator<Dirent> {
  const opened = await nullIfMissing(opendir(folder))
  if (opened !== null) yield* opened
}

const removeEmptyFolders = async (folder: string, key: string) => {
  const names = key.split('/').slice(0, -1)
  for (; names.length > 0; names.pop()) {
    const isEmpty = await succeedsUnlessCode(['ENOTEMPTY', 'EEXIST', 'EBUSY', 'ENOENT'], rmdir(join(folder, ...names)))
    if (!isEmpty) return
  }
}

/** Null for a missing file. Any other failure must never look like a missing one. */
const nullIfMissing = <T>(work: Promise<T>): Promise<T | null> =>
  work.catch((error: unknown) => {
    if (readErrorCode(error) === 'ENOENT' || readErrorCode(error) === 'ENOTDIR') return null
    throw error
  })

/** Resolves with false when the work failed with one of the error `codes`. */
const succeedsUnlessCode = async (codes: Iterable<string>, work: Promise<void>): Promise<boolean> => {
  try {
    await work
    return true
  } catch (error) {
    if ([...codes].includes(readErrorCode(error) ?? '')) return false
    throw error
  }
}

const wrapFailure = async <T>(what: string, call: () => Promise<T>): Promise<T> => {
  try {
    return await call()
  } catch (error) {
    throw toStorageFailed(what, error)
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'its disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file is larger than the disk allows',
  EROFS: 'its disk is read-only',
  EACCES: 'Docket may not use it',
  EPERM: 'Docket may not use it',
  EIO: 'its disk does not work',
}

/** Describes an error of the system without paths. The original is the cause, for the log. */
const toStorageFailed = (what: string, error: unknown): StorageFailed => {
  if (error instanceof StorageFailed) return error
  const code = readErrorCode(error)
  if (code === undefined) throw error
  const Failure = code === 'ENOSPC' || code === 'EDQUOT' ? StorageFull : StorageFailed
  const sentence = `The storage folder did not ${what} the bundle: ${reasons[code] ?? `the system says ${code}`}.`
  return new Failure(sentence, { cause: error })
}

const readErrorCode = (error: unknown) => (error as NodeJS.ErrnoException).code
