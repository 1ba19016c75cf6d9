import { createReadStream } from 'node:fs'
import { PassThrough, pipeline } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import {
  ArchiveRefused,
  throwRefusal,
  type ArchiveEnding,
  type OnFile,
  throwFileRefusal,
  throwTotalRefusal,
  quoteName,
} from './archive-file.ts'
import type { ArchiveReading } from './entry-list.ts'
import { isTarHeader, isZero } from './judge-bytes.ts'

const chunkBytes = 256 * 1024
const blockBytes = 512
/** Names and times of one entry. */
const maxRecordBytes = 1024 ** 2
const maxSharedRecords = 512
const otherTypes: Readonly<Record<string, string>> = {
  3: 'is a device',
  4: 'is a device',
  6: 'is a pipe',
  S: 'is stored with holes, which Docket does not read',
}
const noZstdFrame = 'Unknown frame descriptor'
const sentences = {
  incomplete: 'The archive ends too early. It is incomplete.',
  followed: 'Something else follows the end of the archive.',
}

type TarReading = ArchiveReading & { ending: Exclude<ArchiveEnding, '.zip'> }

/** Reads names as bytes, because those of old archives are in any encoding. */
export const readTar = async (reading: TarReading, onFile: OnFile): Promise<void> => {
  const { bounds, list, ending } = reading
  let archiveBytes = 0
  const unpacked = unpackArchive(reading, (at) => (archiveBytes = at))
  const pieces = limitPieces(unpacked, reading)
  const blocks = createBlockSource(pieces)
  const shared: TarRecords = new Map()
  let last: string | null = null
  try {
    for (;;) {
      const entry = await readEntry(blocks, shared)
      if (entry === null) break
      const { type, sizeBytes } = entry
      const name = list.decodeName(entry.name)
      last = name
      const other = otherTypes[entry.hasHoles ? 'S' : type]
      if (other !== undefined) throwRefusal(`${quoteName(name)} ${other}.`)
      if (type === '1' || type === '2')
        list.addLink(name, { target: list.decodeName(entry.target), isHard: type === '1' })
      else if (type === '5' || name.endsWith('/')) list.addFolder(name)
      else {
        throwFileRefusal(name, sizeBytes, bounds)
        const path = list.addFile(name, sizeBytes)
        const body = blocks.open(sizeBytes)
        if (path !== null) await onFile({ path, sizeBytes, content: body.content, archiveBytes })
        await body.skip()
        continue
      }
      // Only files have content, whatever their size says; a folder of the oldest format is a file.
      if (type !== '1' && type !== '2' && type !== '5') await blocks.open(sizeBytes).skip()
    }
    await blocks.requireEnd()
  } catch (error) {
    throw explainTarFailure(error, last, ending)
  } finally {
    await pieces.return()
  }
}

async function* limitPieces(source: AsyncIterable<Buffer>, { bounds, sizeBytes, signal }: ArchiveReading) {
  let total = 0
  for await (const piece of source) {
    signal?.throwIfAborted()
    total += piece.length
    throwTotalRefusal(total, sizeBytes, bounds)
    yield piece
  }
}

const unpackers = {
  '.tar': () => new PassThrough(),
  '.tar.gz': () => createGunzip({ chunkSize: chunkBytes }),
  '.tar.zst': () => createZstdDecompress({ chunkSize: chunkBytes }),
}

/** `onRead` gets the position in the archive. Node ends after the first frame of zstd, and parallel compressors write many. */
async function* unpackArchive({ file, sizeBytes, ending }: TarReading, onRead: (at: number) => void) {
  let at = 0
  while (at < sizeBytes && (at === 0 || !(await isPadded(file, at)))) {
    const source = createReadStream(file, { start: at, highWaterMark: chunkBytes })
    const unpacker = unpackers[ending]()
    const readPosition = () => at + ('bytesWritten' in unpacker ? unpacker.bytesWritten : source.bytesRead)
    pipeline(source, unpacker, () => {})
    try {
      for await (const piece of unpacker as AsyncIterable<Buffer>) {
        onRead(readPosition())
        yield piece
      }
    } catch (error) {
      // Padding behind a frame that ends where a piece of the file does.
      if ((error as Error).message !== noZstdFrame || readPosition() === at) throw error
    }
    at = readPosition()
  }
}

/** Tapes and mirrors fill the last block with zeros. Throws for something else behind them. */
const isPadded = async (file: string, start: number) => {
  let isPadding = false
  for await (const piece of createReadStream(file, { start }) as AsyncIterable<Buffer>) {
    if (!isPadding && piece[0] !== 0) return false
    isPadding = true
    if (!isZero(piece)) throwRefusal(sentences.followed)
  }
  return isPadding
}

const createBlockSource = (pieces: AsyncGenerator<Buffer>) => {
  let rest: Buffer = Buffer.alloc(0)
  const fill = async () => {
    while (rest.length === 0) {
      const { done, value } = await pieces.next()
      if (done === true) return false
      rest = value
    }
    return true
  }
  const take = async (maxBytes: number): Promise<Buffer> => {
    if (!(await fill())) throwRefusal(sentences.incomplete)
    const piece = rest.subarray(0, maxBytes)
    rest = rest.subarray(piece.length)
    return piece
  }
  /** The next `sizeBytes`, in pieces. `skip` passes over what was not read of them, and over the rest of the last block. */
  const open = (sizeBytes: number) => {
    let [left, padding] = [sizeBytes, -sizeBytes & (blockBytes - 1)]
    async function* content() {
      while (left > 0) {
        const piece = await take(left)
        left -= piece.length
        yield piece
      }
    }
    const skip = async () => {
      while (left > 0) left -= (await take(left)).length
      while (padding > 0) padding -= (await take(padding)).length
    }
    return { content: content(), skip }
  }
  const readAll = async (sizeBytes: number) => {
    const pieces: Buffer[] = []
    const { content, skip } = open(sizeBytes)
    for await (const piece of content) pieces.push(piece)
    await skip()
    return Buffer.concat(pieces)
  }
  return {
    open,
    readAll,
    /** Null at the end, with or without the zeros that mark it. */
    readHeader: async () => {
      if (!(await fill())) return null
      const block = await readAll(blockBytes)
      return isZero(block) ? null : block
    },
    requireEnd: async () => {
      let restBytes = 0
      for (; await fill(); rest = rest.subarray(rest.length)) {
        if (!isZero(rest)) throwRefusal(sentences.followed)
        restBytes += rest.length
      }
      if (restBytes % blockBytes !== 0) throwRefusal(sentences.incomplete)
    },
  }
}

type TarRecords = Map<string, Buffer>

class DamagedTar extends Error {}

/** The next entry with what the records in front of it say. Null at the end. */
const readEntry = async (blocks: ReturnType<typeof createBlockSource>, shared: TarRecords) => {
  const own: TarRecords = new Map()
  for (;;) {
    const block = await blocks.readHeader()
    if (block === null) return null
    if (!isTarHeader(block)) throw new DamagedTar()
    const type = block.toString('latin1', 156, 157)
    const sizeBytes = readOctal(block.subarray(124, 136))
    if (!'xgLK'.includes(type)) {
      const records = new Map([...shared, ...own])
      const prefix = block.toString('latin1', 257, 263) === 'ustar\0' ? readField(block, 345, 155) : Buffer.alloc(0)
      const name = readField(block, 0, 100)
      return {
        type,
        name: records.get('path') ?? (prefix.length > 0 ? Buffer.concat([prefix, Buffer.from('/'), name]) : name),
        target: records.get('linkpath') ?? readField(block, 157, 100),
        sizeBytes,
        hasHoles: [...records.keys()].some((key) => key.startsWith('GNU.sparse.')),
      }
    }
    if (sizeBytes > maxRecordBytes) throwRefusal('The archive has a name that is longer than 1 MB.')
    const bytes = await blocks.readAll(sizeBytes)
    if (type === 'L' || type === 'K') own.set(type === 'L' ? 'path' : 'linkpath', readField(bytes, 0, bytes.length))
    else for (const [key, value] of listRecords(bytes)) (type === 'g' ? shared : own).set(key, value)
    if (shared.size > maxSharedRecords) throwRefusal('The archive has too many records for all its entries.')
  }
}

const readField = (block: Buffer, start: number, length: number) => {
  const field = block.subarray(start, start + length)
  const end = field.indexOf(0)
  return end === -1 ? field : field.subarray(0, end)
}

/** Throws for sizes of 8 GB and more, which are beyond each bound and have another form. */
const readOctal = (field: Buffer): number => {
  const digits = readField(field, 0, field.length).toString('latin1').trim()
  const number = digits === '' ? 0 : Number(`0o${digits}`)
  if (!Number.isSafeInteger(number)) throw new DamagedTar()
  return number
}

/** Records of POSIX: `17 path=a/b.html\n`. */
function* listRecords(bytes: Buffer): Generator<[key: string, value: Buffer]> {
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(' ', at)
    const length = Number(bytes.toString('latin1', at, Math.max(at, space)))
    if (!Number.isInteger(length) || length <= space - at) return
    const record = bytes.subarray(space + 1, at + length - 1)
    const equals = record.indexOf('=')
    if (equals > 0) yield [record.toString('latin1', 0, equals), record.subarray(equals + 1)]
    at += length
  }
}

/** The refusal that an error of this reader or of zlib stands for; any other error as it is. `last` is the entry before it. */
const explainTarFailure = (error: unknown, last: string | null, ending: TarReading['ending']): unknown => {
  if (!(error instanceof Error) || error instanceof ArchiveRefused) return error
  const code = (error as NodeJS.ErrnoException).code ?? ''
  if (code === 'Z_BUF_ERROR') return new ArchiveRefused('refused', sentences.incomplete)
  // The archive began with a good header, so this is about a second one.
  if (['incorrect header check', noZstdFrame].includes(error.message))
    return new ArchiveRefused('refused', sentences.followed)
  const isDamaged = /^(?:Z|ZSTD)_/.test(code)
  if (!isDamaged && !(error instanceof DamagedTar)) return error
  if (last !== null || isDamaged)
    return new ArchiveRefused('refused', `The archive is damaged${last === null ? '' : ` after ${quoteName(last)}`}.`)
  const found = { '.tar': 'no tar archive', '.tar.gz': 'a gzip file', '.tar.zst': 'a zstd file' }[ending]
  return new ArchiveRefused(
    'not_an_archive',
    `This is ${found}${ending === '.tar' ? '' : ' without a tar archive in it'}.`,
  )
}
