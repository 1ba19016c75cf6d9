import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type Readable, Transform, pipeline as connect } from 'node:stream'
import { pipeline } from 'node:stream/promises'

export type ByteRange = { start: number; end: number }

/** A piece is valid only until the next one is requested, because its memory is reused. Read all of it or destroy it. */
export type Pieces = AsyncIterable<Uint8Array> & { destroy: () => unknown }

export type ListedObject = { key: string; sizeBytes: number; modifiedAt: Date }

/** Keys are plain names joined by `/`. Calls reject with `StorageFailed` or `StorageFull`, unless the caller made a mistake. */
export type ObjectStorage = {
  /** Stores a file durably; readers see all of its content or none. With `link` the file stays and may share its bytes: never change it. */
  put(key: string, file: string, options?: { link?: boolean }): Promise<void>
  /** Size in bytes; null for a missing object. */
  readSize(key: string): Promise<number | null>
  /** Null for a missing object. The stream fails with `StorageFailed` if it would end early. */
  read(key: string, range?: ByteRange): Promise<Readable | null>
  /** Like `read`, for half the CPU time from a disk. */
  readPieces(key: string, range?: ByteRange): Promise<Pieces | null>
  /** Objects with keys that begin with `prefix`, in no order. */
  list(prefix: string): AsyncIterable<ListedObject>
  /** Succeeds for a missing object. */
  remove(key: string): Promise<void>
  /** Removes what crashed uploads to keys with `prefix` left behind, if they began before `before`. Resolves with their number. */
  removeUnfinished(prefix: string, before: Date): Promise<number>
  /** Writes, reads and removes a test object. `freeBytes` is null when the storage has no limit that we can read. */
  check(): Promise<{ freeBytes: number | null }>
  /** Id of this storage; null before `ensureMarker`. Two replicas that read the same id use the same storage. */
  readMarker(): Promise<string | null>
  /** Id of this storage, created once: concurrent calls of several replicas resolve with the same id. */
  ensureMarker(): Promise<string>
}

/** A storage that makes expiring links to bundles (Admin API §4.4). Their keys are `<jobId>/bundle.tar.gz`. */
export type LinkStorage = ObjectStorage & {
  /** A keyless GET link until `expiresAt`. A reserved domain may request a faulty one. */
  link(key: string, expiresAt: Date, misbehaves?: Misbehaviour): Promise<string>
}

/** `dead` never works; `dies` breaks off halfway through its first use, which only Docket's own storage supports. */
export type Misbehaviour = 'dead' | 'dies'

/** A failed call of the storage. The message is for the reader and contains neither keys nor links. */
export class StorageFailed extends Error {
  override readonly name: string = 'StorageFailed'
}

/** The disk is full, or the quota of the disk or bucket is used up. */
export class StorageFull extends StorageFailed {
  override readonly name = 'StorageFull'
}

/** SHA-256 of a file, lower-case hexadecimal. */
export const hashFile = (file: string): Promise<string> =>
  hashStream(createReadStream(file, { highWaterMark: 256 * 1024 }))

/** SHA-256 of the whole object, lower-case hexadecimal. Null for a missing object. */
export const hashObject = async (storage: ObjectStorage, key: string): Promise<string | null> => {
  const content = await storage.read(key)
  return content === null ? null : hashStream(content)
}

const hashStream = async (content: Readable) => {
  const hash = createHash('sha256')
  await pipeline(content, hash)
  return hash.digest('hex')
}

/** Throws for a key that could lead out of a folder. */
export const assertKey = (key: string): void => {
  const names = key.split('/')
  if (key.length > 900 || !names.every((name) => /^[a-z0-9][\w.-]{0,199}$/i.test(name)))
    throw new TypeError('A key consists of plain names')
}

/** Throws unless there are exactly `sizeBytes`. `maxIdleMs` limits the silence of the storage, but not the pauses of the reader. */
export const checkContent = (
  source: Readable,
  sizeBytes: number,
  toFailure: (error: Error) => StorageFailed,
  maxIdleMs?: number,
): Readable => {
  let missing = sizeBytes
  let lastAt = performance.now()
  const content = new Transform({
    transform: (chunk: Buffer, _, done) => {
      missing -= chunk.length
      lastAt = performance.now()
      if (missing < 0) done(new StorageFailed('The storage sent more than the object has.'))
      else done(null, chunk)
    },
    flush: (done) => {
      done(missing === 0 ? null : new StorageFailed('The storage broke off in the middle of an object.'))
    },
    destroy: (error, done) => {
      clearInterval(timer)
      done(error === null || error instanceof StorageFailed ? error : toFailure(error))
    },
  })
  const timer =
    maxIdleMs === undefined
      ? undefined
      : setInterval(() => {
          const waitsForReader = content.readableLength > 0
          if (waitsForReader) lastAt = performance.now()
          else if (performance.now() - lastAt > maxIdleMs)
            content.destroy(new StorageFailed('The storage stopped sending in the middle of an object.'))
        }, maxIdleMs / 4).unref()
  connect(source, content, () => {})
  return content
}
