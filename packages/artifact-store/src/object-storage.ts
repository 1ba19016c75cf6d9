import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

/** Stores bundles and makes expiring links to them (Admin API §4.4). Keys are `<jobId>/bundle.tar.gz`. */
export type ObjectStorage = {
  /** Takes the whole file over; it is gone from its place then. Nothing is under the key before all of it is. */
  put(key: string, file: string): Promise<void>
  /** Bytes; null when there is no such object. */
  readSize(key: string): Promise<number | null>
  /** A link for GET without a key, until `expiresAt`. A reserved domain may ask for one that misbehaves. */
  link(key: string, expiresAt: Date, misbehaves?: Misbehaviour): Promise<string>
  /** No error when there is none. */
  remove(key: string): Promise<void>
}

/** `dead` from the start, or it `dies` half way through its first use; a storage that is not our own can only do the first. */
export type Misbehaviour = 'dead' | 'dies'

/** The storage did not do what it was asked; the message is for the reader and holds no key and no link. */
export class StorageFailed extends Error {
  override readonly name = 'StorageFailed'
}

/** SHA-256 of a file, lower-case hexadecimal. */
export const hashFile = async (file: string): Promise<string> => {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file, { highWaterMark: 256 * 1024 }), hash)
  return hash.digest('hex')
}
