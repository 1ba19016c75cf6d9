import { createReadStream } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { crc32, createInflateRaw } from 'node:zlib'
import { fromRandomAccessReaderPromise, getFileNameLowLevel, type Entry, type ZipFile } from 'yauzl'
import {
  ArchiveRefused,
  throwRefusal,
  type OnFile,
  throwFileRefusal,
  throwTotalRefusal,
  quoteName,
} from './archive-file.ts'
import { BlockReader } from './block-reader.ts'
import type { ArchiveReading, EntryList } from './entry-list.ts'
import { readSizes, type ZipSizes } from './zip-format.ts'

type Listed = ZipSizes & { path: string; isLink: boolean; rawName: Buffer }

/** Ends of a ZIP: that of every one, and those of a large one in front of it. */
const [lastRecordBytes, zip64RecordBytes] = [22, 56 + 20]
/** A comment has at most 64 KiB. */
const tailBytes = 1024 ** 2

/** Reads a ZIP: first its whole directory, then the files in the order of their bytes. */
export const readZip = async (reading: ArchiveReading, onFile: OnFile): Promise<void> => {
  await using handle = await open(reading.file)
  const opened = await explainZipFailure(openZip(handle, reading))
  const directoryStart = Number(opened.zip.readEntryCursor)
  const listed = (await explainZipFailure(listFiles(opened, reading))).toSorted((a, b) => a.offset - b.offset)
  const readLink: OnFile = async ({ path, sizeBytes, content }) => {
    if (sizeBytes > reading.bounds.pathBytes)
      throwRefusal(`${quoteName(path)} is a symbolic link to a name that is too long.`)
    reading.list.addLink(path, { target: reading.list.decodeName(await buffer(content)), isHard: false })
  }
  for (const [index, file] of listed.entries()) {
    const start = await findContent(opened.zip, file, listed[index + 1]?.offset ?? directoryStart)
    await readFile(reading.file, file, start, file.isLink ? readLink : onFile)
  }
}

const openZip = async (handle: FileHandle, reading: ArchiveReading) => {
  const read = async (start: number, end: number) => {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(end - start), 0, end - start, start)
    return buffer.subarray(0, bytesRead)
  }
  const sizeBytes = await findEnd(read, reading.sizeBytes)
  const reader = new BlockReader({ sizeBytes, read })
  const zip = await fromRandomAccessReaderPromise(reader, sizeBytes, { decodeStrings: false, autoClose: false })
  return { zip, sizeBytes }
}

/** Bytes of the file without padding of zeros and line ends. */
const findEnd = async (read: (start: number, end: number) => Promise<Buffer>, sizeBytes: number) => {
  const start = Math.max(0, sizeBytes - tailBytes)
  const tail = await read(start, sizeBytes)
  const at = tail.lastIndexOf('PK\x05\x06')
  if (at === -1 || at + lastRecordBytes > tail.length) return sizeBytes
  const end = at + lastRecordBytes + tail.readUInt16LE(at + 20)
  const isPadding = tail.subarray(end).every((byte) => byte === 0 || byte === 10 || byte === 13)
  return isPadding ? Math.min(start + end, sizeBytes) : sizeBytes
}

const listFiles = async ({ zip, sizeBytes }: { zip: ZipFile; sizeBytes: number }, { bounds, list }: ArchiveReading) => {
  const listed = new Map<string, Listed>()
  let total = 0
  for await (const entry of zip.eachEntry()) {
    const name = readName(entry, list)
    if (isFolder(entry, name, list)) continue
    const isLink = readUnixType(entry) === 0o12
    throwFileRefusal(name, entry.uncompressedSize, bounds)
    total += entry.uncompressedSize
    throwTotalRefusal(total, sizeBytes, bounds)
    // Its target is its content.
    const path = isLink ? name : list.addFile(name, entry.uncompressedSize)
    if (path === null) continue
    listed.set(path, { path, isLink, rawName: entry.fileNameRaw, ...readSizes(entry) })
  }
  const betweenBytes = sizeBytes - lastRecordBytes - zip.comment.length - Number(zip.readEntryCursor)
  if (betweenBytes !== 0 && betweenBytes !== zip64RecordBytes)
    throwRefusal('Something is hidden at the end of the archive.')
  return [...listed.values()]
}

const unixTypes: Readonly<Record<number, string>> = {
  0o14: 'is a socket',
  0o01: 'is a pipe',
  0o02: 'is a device',
  0o06: 'is a device',
}

// Windows writes no mode, so other systems' bits mean nothing there.
const readUnixType = (entry: Entry) => (entry.versionMadeBy >> 8 === 0 ? 0 : entry.externalFileAttributes >>> 28)

/** True for a folder, which is checked. Throws for anything but folders, plain files and links. */
const isFolder = (entry: Entry, name: string, list: EntryList) => {
  const other = unixTypes[readUnixType(entry)]
  if (other !== undefined) throwRefusal(`${quoteName(name)} ${other}.`)
  if (entry.isEncrypted()) throwRefusal(`${quoteName(name)} is encrypted.`)
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
    throwRefusal(`${quoteName(name)} is compressed in a way that Docket does not read.`)
  if (!name.endsWith('/') && entry.externalFileAttributes >>> 28 !== 0o04) return false
  if (entry.uncompressedSize > 0) throwRefusal(`${quoteName(name)} is a file and a folder.`)
  list.addFolder(name)
  return true
}

const unicodePathField = 0x7075

/** `fileNameRaw` is not decoded, because yauzl would refuse names in words of its own, and read those of many systems wrongly. */
const readName = ({ fileNameRaw, extraFields, versionMadeBy }: Entry, list: EntryList) => {
  const hasField = extraFields.some(({ id }) => id === unicodePathField)
  const byField = hasField ? getFileNameLowLevel(0x800, fileNameRaw, extraFields, true) : '\ufffd'
  const name = byField.includes('\ufffd') ? list.decodeName(fileNameRaw) : byField
  // Tools of Windows write backslashes. In Asian encodings one may be half of a letter.
  return versionMadeBy >> 8 === 0 ? name.replaceAll(/(?<!%[89A-F][\dA-F])\\/g, '/') : name
}

/** First byte of a file's content. Contents must not overlap or reach beyond `nextOffset`. */
const findContent = async (zip: ZipFile, { path, rawName, offset, compressedBytes }: Listed, nextOffset: number) => {
  // yauzl asks for an entry, and reads no more of it than this.
  const entry = { relativeOffsetOfLocalHeader: offset, compressedSize: compressedBytes } as Entry
  const header = await explainZipFailure(zip.readLocalFileHeaderPromise(entry))
  // Some readers go by the names in front of the contents.
  if (!header.fileName.equals(rawName)) throwRefusal(`${quoteName(path)} has another name in front of its content.`)
  if (header.fileDataStart + compressedBytes > nextOffset)
    throwRefusal(`${quoteName(path)} shares its bytes with another file.`)
  return header.fileDataStart
}

const readFile = async (archive: string, file: Listed, start: number, onFile: OnFile) => {
  const { path, isStored, sizeBytes, compressedBytes } = file
  let isUsed = false
  const content = {
    [Symbol.asyncIterator]: () => {
      isUsed = true
      if (compressedBytes === 0) return verifyContent([], file)
      const source = createReadStream(archive, { start, end: start + compressedBytes - 1 })
      return verifyContent(isStored ? source : pipeline(source, createInflateRaw(), () => {}), file)
    },
  }
  await onFile({ path, sizeBytes, content, archiveBytes: start + compressedBytes })
  // Detects a damaged file even if its content is not read.
  if (!isUsed) for await (const piece of content) void piece
}

/** Passes on the content, and fails unless it matches the directory. */
async function* verifyContent(
  pieces: AsyncIterable<Buffer> | Iterable<Buffer>,
  file: Listed,
): AsyncGenerator<Uint8Array> {
  let [sum, sizeBytes] = [0, 0]
  try {
    for await (const piece of pieces) {
      sum = crc32(piece, sum)
      sizeBytes += piece.length
      if (sizeBytes > file.sizeBytes) break
      yield piece
    }
  } catch (error) {
    throw toRefusal(error, `${quoteName(file.path)} is damaged, or has another size than the archive says.`)
  }
  if (sizeBytes !== file.sizeBytes) throwRefusal(`${quoteName(file.path)} has another size than the archive says.`)
  if (sum !== file.crc32) throwRefusal(`${quoteName(file.path)} is damaged.`)
}

const explainZipFailure = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    throw toRefusal(
      error,
      'The list of files at the end of the archive is damaged. It is incomplete, or something follows it.',
    )
  }
}

const toRefusal = (error: unknown, sentence: string) => {
  // yauzl and zlib throw plain errors, as the system does, whose errors name a call.
  const isForeign = !(error instanceof Error) || error.constructor !== Error || 'syscall' in error
  return isForeign ? error : new ArchiveRefused('refused', sentence)
}
