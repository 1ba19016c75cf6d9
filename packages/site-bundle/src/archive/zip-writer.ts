import { readSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw, deflateRawSync, inflateRawSync } from 'node:zlib'
import {
  createCentralHeader,
  createEndRecord,
  createLocalHeader,
  localHeaderBytes,
  type ZipRecord,
} from './zip-format.ts'

export type ZipWriter = {
  /** Replaces an earlier entry with this path. `content` in pieces is never in memory as a whole. */
  add(path: string, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<void>
  /** Fails for a path that was not added; after `end`, for one that is not listed. */
  read(path: string): Promise<Buffer>
  /** Lists each path with the content that was added as its source. Other entries stay as bytes that nothing names. */
  end(sources?: ReadonlyMap<string, string>): Promise<void>
  close(): Promise<void>
}

const compressed =
  /\.(?:7z|aac|avif|br|bz2|gif|gz|heic|jpe?g|m4[av]|mp[34]|og[agv]|png|tgz|web[mp]|woff2?|xz|zip|zst)$/i
/** This level takes two thirds of the time of zlib's default and produces 3 % more bytes. */
const level = 4
const batchBytes = 1024 ** 2
const maxEntryBytes = 0xffff_ffff

/** The same entries give the same bytes. yazl needs the square of the number of entries (70,000: 40 s). */
export const createZip = async (file: string): Promise<ZipWriter> => {
  const handle = await open(file, 'wx+')
  let records = new Map<string, ZipRecord>()
  let batch: Uint8Array[] = []
  let batched = 0
  let offset = 0

  const flush = async () => {
    const pieces = batch
    batch = []
    batched = 0
    if (pieces.length > 0) await writeAll(Buffer.concat(pieces))
  }
  const writeAll = async (bytes: Uint8Array) => {
    for (let done = 0; done < bytes.length;) done += (await handle.write(bytes, done)).bytesWritten
  }
  const write = async (...pieces: Uint8Array[]) => {
    for (const piece of pieces) {
      batch.push(piece)
      batched += piece.length
      offset += piece.length
    }
    if (batched >= batchBytes) await flush()
  }
  const addBuffer = async (path: string, content: Uint8Array) => {
    const deflated = compressed.test(path) ? content : deflateRawSync(content, { level })
    const isStored = deflated.length >= content.length
    const bytes = isStored ? content : deflated
    const sizes = { crc32: crc32(content), sizeBytes: content.length, compressedBytes: bytes.length }
    const record = { path: Buffer.from(path), offset, isStored, ...sizes }
    records.set(path, record)
    await write(createLocalHeader(record), bytes)
  }
  const addPieces = async (path: string, pieces: AsyncIterable<Uint8Array>) => {
    const record: ZipRecord = {
      path: Buffer.from(path),
      offset,
      isStored: compressed.test(path),
      crc32: 0,
      sizeBytes: 0,
      compressedBytes: 0,
    }
    const counted = async function* () {
      for await (const piece of pieces) {
        record.crc32 = crc32(piece, record.crc32)
        record.sizeBytes += piece.length
        yield piece
      }
    }
    await write(createLocalHeader(record))
    const bytes = record.isStored ? counted() : compressPieces(counted())
    for await (const piece of bytes) {
      record.compressedBytes += piece.length
      await write(piece)
    }
    if (Math.max(record.sizeBytes, record.compressedBytes) > maxEntryBytes)
      throw new RangeError('A file in a ZIP has at most 4 GiB')
    await flush()
    // The sizes are known only after compressing.
    const header = createLocalHeader(record)
    await handle.write(header, 0, header.length, record.offset)
    records.set(path, record)
  }
  const readRaw = (record: ZipRecord, start = 0, maxBytes = record.compressedBytes) => {
    const bytes = Buffer.alloc(Math.min(maxBytes, record.compressedBytes - start))
    // Nothing else happens in this process meanwhile.
    readSync(handle.fd, bytes, 0, bytes.length, record.offset + localHeaderBytes + record.path.length + start)
    return bytes
  }
  const copy = async (path: string, source: ZipRecord) => {
    const record = { ...source, path: Buffer.from(path), offset }
    await write(createLocalHeader(record))
    await flush()
    for (let at = 0; at < source.compressedBytes; at += batchBytes) await write(readRaw(source, at, batchBytes))
    return record
  }
  return {
    add: (path, content) => (content instanceof Uint8Array ? addBuffer(path, content) : addPieces(path, content)),
    read: async (path) => {
      const record = records.get(path)
      if (record === undefined) throw new Error('The ZIP has no such file')
      await flush()
      return record.isStored ? readRaw(record) : inflateRawSync(readRaw(record))
    },
    end: async (sources) => {
      const listed = sources === undefined ? records : new Map<string, ZipRecord>()
      for (const [path, source] of sources ?? []) {
        const record = records.get(source)!
        listed.set(path, path === source ? record : await copy(path, record))
      }
      records = listed
      const start = offset
      for (const record of listed.values()) await write(createCentralHeader(record))
      await write(createEndRecord({ entries: listed.size, start, end: offset }))
      await flush()
    },
    close: () => handle.close(),
  }
}

async function* compressPieces(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const deflater = createDeflateRaw({ level })
  const feeding = pipeline(pieces, deflater)
  feeding.catch(() => {})
  yield* deflater as AsyncIterable<Uint8Array>
  await feeding
}
