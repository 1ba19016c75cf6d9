import { pipeline, Transform, type Readable } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { buffer } from 'node:stream/consumers'
import { StorageFailed, type ByteRange, type ObjectStorage } from '@docket/artifact-store/object-storage'
import { fromRandomAccessReaderPromise } from 'yauzl'
import { BlockReader } from './block-reader.ts'
import { localHeaderBytes, readSizes, type ZipSizes } from './zip-format.ts'

export type ZipEntry = ZipSizes & { headerBytes: number }

/** Keys are paths. Null for a missing object. Throws `StorageFailed` for a damaged one. */
export const readZipDirectory = async (storage: ObjectStorage, key: string): Promise<Map<string, ZipEntry> | null> => {
  const sizeBytes = await storage.readSize(key)
  if (sizeBytes === null) return null
  const read = async (start: number, end: number) => buffer(await readBytes({ storage, key }, start, end))
  try {
    const reader = new BlockReader({ sizeBytes, read })
    const zip = await fromRandomAccessReaderPromise(reader, sizeBytes, { decodeStrings: false })
    const entries = new Map<string, ZipEntry>()
    for await (const entry of zip.eachEntry())
      // Docket wrote them as UTF-8, whatever yauzl thinks of names such as `C:drive.html`.
      entries.set(entry.fileNameRaw.toString(), {
        headerBytes: localHeaderBytes + entry.fileNameRaw.length,
        ...readSizes(entry),
      })
    return entries
  } catch (error) {
    if (error instanceof StorageFailed) throw error
    throw new StorageFailed('The files of the stored bundle cannot be found: their directory is damaged.')
  }
}

type StoredZip = { storage: ObjectStorage; key: string }

/** `end` is excluded. */
const readBytes = async ({ storage, key }: StoredZip, start: number, end: number) => {
  const content = await storage.read(key, { start, end: end - 1 })
  if (content === null) throw new StorageFailed('The stored bundle is gone from the storage.')
  return content
}

/** Header of a gzip file without name and time, and bytes of header and trailer. */
const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
export const gzipOverheadBytes = gzipHeader.length + 8

const createDamagedError = () => new StorageFailed('A file of the stored bundle is damaged in the storage.')

/** Fails at its end when the content is damaged; a `range` of a deflated entry is cut out of the whole. */
export const readContent = async (zip: StoredZip, entry: ZipEntry, range?: ByteRange): Promise<Readable> => {
  const isPart = range !== undefined && range.end - range.start + 1 < entry.sizeBytes
  if (entry.isStored)
    return isPart ? readPart(zip, entry, range) : joinPieces(await readRaw(zip, entry), [verifyContent(entry)])
  const steps = [createInflateRaw(), verifyContent(entry), ...(isPart ? [cutRange(range)] : [])]
  return joinPieces(await readRaw(zip, entry), steps)
}

/** Content of a deflated entry as a gzip file of `compressedBytes + gzipOverheadBytes`. Nothing is compressed. */
export const readGzip = async (zip: StoredZip, entry: ZipEntry): Promise<Readable> => {
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(entry.crc32, 0)
  trailer.writeUInt32LE(entry.sizeBytes % 2 ** 32, 4)
  let isFirst = true
  const wrap = new Transform({
    transform(chunk: Buffer, _, done) {
      if (isFirst) this.push(gzipHeader)
      isFirst = false
      done(null, chunk)
    },
    flush: (done) => done(null, trailer),
    destroy: describeFailure,
  })
  return joinPieces(await readRaw(zip, entry), [wrap])
}

/** Bytes of an entry in the file. One request reads its header, too, and proves that the directory is right. */
const readRaw = async (zip: StoredZip, { offset, headerBytes, compressedBytes }: ZipEntry) =>
  joinPieces(await readBytes(zip, offset, offset + headerBytes + compressedBytes), [skipHeader(headerBytes)])

const readPart = (zip: StoredZip, { offset, headerBytes }: ZipEntry, { start, end }: ByteRange) =>
  readBytes(zip, offset + headerBytes + start, offset + headerBytes + end + 1)

const skipHeader = (headerBytes: number) => {
  let header = Buffer.alloc(0)
  let isRead = false
  const isGood = () =>
    header.readUInt32LE(0) === 0x04034b50 && 30 + header.readUInt16LE(26) + header.readUInt16LE(28) === headerBytes
  return new Transform({
    transform: (chunk: Buffer, _, done) => {
      if (isRead) return done(null, chunk)
      header = Buffer.concat([header, chunk])
      if (header.length < headerBytes) return done()
      isRead = true
      if (!isGood()) return done(createDamagedError())
      done(null, header.subarray(headerBytes))
    },
  })
}

const verifyContent = (entry: ZipEntry) => {
  let [sum, sizeBytes] = [0, 0]
  return new Transform({
    transform: (chunk: Buffer, _, done) => {
      sum = crc32(chunk, sum)
      sizeBytes += chunk.length
      done(sizeBytes > entry.sizeBytes ? createDamagedError() : null, chunk)
    },
    flush: (done) => done(sum === entry.crc32 && sizeBytes === entry.sizeBytes ? null : createDamagedError()),
    destroy: describeFailure,
  })
}

const cutRange = ({ start, end }: ByteRange) => {
  let at = 0
  return new Transform({
    transform: (chunk: Buffer, _, done) => {
      const part = chunk.subarray(Math.max(0, start - at), Math.max(0, end + 1 - at))
      at += chunk.length
      done(null, part)
    },
    destroy: describeFailure,
  })
}

/** zlib has an error of its own for bytes that it cannot read. */
const describeFailure = (error: Error | null, done: (error: Error | null) => void) =>
  done(error === null || error instanceof StorageFailed ? error : createDamagedError())

const joinPieces = (source: Readable, steps: Transform[]): Readable => {
  pipeline([source, ...steps], () => {})
  return steps.at(-1)!
}
