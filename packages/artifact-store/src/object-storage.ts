import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Bytes `start` to `end` of an object, both included. */
export type ByteRange = { start: number; end: number }

/** Content for a sender. A piece is valid until the next one is asked for, because its memory may be reused. Read it or destroy it. */
export type Pieces = AsyncIterable<Uint8Array> & { destroy: () => unknown }

export type ListedObject = { key: string; sizeBytes: number; modifiedAt: Date }

/**
 * Stores files under keys, such as `sha256/<sum>/bundle`. Keys are plain names joined by `/`. Every call rejects with `StorageFailed`,
 * or `StorageFull`, unless the caller made a mistake.
 */
export type ObjectStorage = {
  /**
   * Moves a file into the storage, durably; replaces an object. Readers see all of its content or none. With `link` the file stays, and
   * shares its bytes with the object if the file system can do that, so nobody may write to it afterwards.
   */
  put(key: string, file: string, options?: { link?: boolean }): Promise<void>
  /** Bytes; null for a missing object. */
  readSize(key: string): Promise<number | null>
  /**
   * Content of an object, or of a part of it; null for a missing one. The stream fails with `StorageFailed` rather than end early, and
   * when the object is shorter than the range.
   */
  read(key: string, range?: ByteRange): Promise<Readable | null>
  /** Like `read`, for half the CPU time from a disk. */
  readPieces(key: string, range?: ByteRange): Promise<Pieces | null>
  /** Objects with keys that begin with `prefix`, in no order. */
  list(prefix: string): AsyncIterable<ListedObject>
  /** Removes one object. Succeeds for a missing one. */
  remove(key: string): Promise<void>
  /** Removes what crashed uploads to keys with `prefix` left behind, if they began before `before`. Resolves with their number. */
  removeUnfinished(prefix: string, before: Date): Promise<number>
  /** Writes, reads and removes an object. `freeBytes` is null when the storage has no limit that we can ask for. */
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

/** `dead` from the start, or it `dies` half way through its first use; a storage that is not our own can only do the first. */
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

/** SHA-256 of an object, read whole, lower-case hexadecimal. Null for a missing object. */
export const hashObject = async (storage: ObjectStorage, key: string): Promise<string | null> => {
  const content = await storage.read(key)
  return content === null ? null : hashStream(content)
}

const hashStream = async (content: Readable) => {
  const hash = createHash('sha256')
  await pipeline(content, hash)
  return hash.digest('hex')
}
