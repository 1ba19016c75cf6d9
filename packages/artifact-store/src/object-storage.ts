import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

/** Stores bundles and makes expiring links to them (Admin API §4.4). Keys are `<jobId>/bundle.tar.gz`. */
export type ObjectStorage = {
  /** Moves a file into the storage. Readers see all of its content or none. */
  put(key: string, file: string): Promise<void>
  /** Bytes; null for a missing object. */
  readSize(key: string): Promise<number | null>
  /** A keyless GET link until `expiresAt`. A reserved domain may request a faulty one. */
  link(key: string, expiresAt: Date, misbehaves?: Misbehaviour): Promise<string>
  /** Succeeds for a missing object. */
  remove(key: string): Promise<void>
}

/** `dead` from the start, or it `dies` half way through its first use; a storage that is not our own can only do the first. */
export type Misbehaviour = 'dead' | 'dies'

/** A failed call of the storage. The message is for the reader and contains neither keys nor links. */
export class StorageFailed extends Error {
  override readonly name = 'StorageFailed'
}

/** SHA-256 of a file, lower-case hexadecimal. */
export const hashFile = async (file: string): Promise<string> => {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file, { highWaterMark: 256 * 1024 }), hash)
  return hash.digest('hex')
}
