import { createReadStream } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { fromRandomAccessReaderPromise, getFileNameLowLevel, parseExtraFields, type Entry, type ZipFile } from 'yauzl'
import {
  ArchiveRefused,
  throwRefusal,
  type ArchiveReading,
  type OnFile,
  throwFileRefusal,
  throwTotalRefusal,
  quoteName,
} from './archive-file.ts'
import { BlockReader } from './block-reader.ts'
import { createEntryPaths, type EntryPaths } from './entry-paths.ts'

type Listed = {
  path: string
  offset: number
  isStored: boolean
  crc32: number
  sizeBytes: number
  compressedBytes: number
}

/** Ends of a ZIP: that of every one, and those of a large one in front of it. */
const [lastRecordBytes, zip64RecordBytes] = [22, 56 + 20]

/** Reads a ZIP: first its whole directory, then the files in the order of their bytes. */
export const readZip = async (reading: ArchiveReading, onFile: OnFile): Promise<void> => {
  const handle = await open(reading.file)
  try {
    const zip = await explainZipFailure(openZip(handle, reading))
    const directoryStart = Number(zip.readEntryCursor)
    const listed = (await explainZipFailure(listFiles(zip, reading))).toSorted((a, b) => a.offset - b.offset)
    for (const [index, file] of listed.entries()) {
      const start = await findContent(zip, file, listed[index + 1]?.offset ?? directoryStart)
      await readFile(reading.file, file, start, onFile)
    }
  } finally {
    await handle.close()
  }
}

const openZip = (handle: FileHandle, { sizeBytes }: ArchiveReading) => {
  const read = async (start: number, end: number) => {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(end - start), 0, end - start, start)
    return buffer.subarray(0, bytesRead)
  }
  const reader = new BlockReader({ sizeBytes, read })
  return fromRandomAccessReaderPromise(reader, sizeBytes, { decodeStrings: false, autoClose: false })
}

const listFiles = async (zip: ZipFile, { bounds, sizeBytes }: ArchiveReading) => {
  const paths = createEntryPaths(bounds)
  const listed: Listed[] = []
  let total = 0
  for await (const entry of zip.eachEntry()) {
    const name = readName(entry)
    if (isFolder(entry, name, paths)) continue
    throwFileRefusal(name, entry.uncompressedSize, bounds)
    total += entry.uncompressedSize
    throwTotalRefusal(total, sizeBytes, bounds)
    listed.push({
      path: paths.addFile(name),
      offset: entry.relativeOffsetOfLocalHeader,
      isStored: entry.compressionMethod === 0,
      crc32: entry.crc32,
      sizeBytes: entry.uncompressedSize,
      compressedBytes: entry.compressedSize,
    })
  }
  const betweenBytes = sizeBytes - lastRecordBytes - zip.comment.length - Number(zip.readEntryCursor)
  if (betweenBytes !== 0 && betweenBytes !== zip64RecordBytes)
    throwRefusal('Something is hidden at the end of the archive.')
  return listed
}

const unixTypes: Readonly<Record<number, string>> = {
  0o12: 'is a symbolic link',
  0o14: 'is a socket',
  0o01: 'is a pipe',
  0o02: 'is a device',
  0o06: 'is a device',
}

/** True for a folder, which is checked. Throws for anything but folders and plain files. */
const isFolder = (entry: Entry, name: string, paths: EntryPaths) => {
  // Windows writes no mode, so other systems' bits mean nothing there.
  const other = unixTypes[entry.externalFileAttributes >>> 28]
  if (other !== undefined && entry.versionMadeBy >> 8 !== 0) throwRefusal(`${quoteName(name)} ${other}.`)
  if (entry.isEncrypted()) throwRefusal(`${quoteName(name)} is encrypted.`)
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
    throwRefusal(`${quoteName(name)} is compressed in a way that Docket does not read.`)
  if (!name.endsWith('/') && entry.externalFileAttributes >>> 28 !== 0o04) return false
  if (entry.uncompressedSize > 0) throwRefusal(`${quoteName(name)} is a file and a folder.`)
  paths.addFolder(name)
  return true
}

/** `fileNameRaw` is not decoded, because yauzl would refuse names in words of its own. */
const readName = (entry: Entry) =>
  getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, true)

/** First byte of a file's content. Contents must not overlap or reach beyond `nextOffset`. */
const findContent = async (zip: ZipFile, { path, offset, compressedBytes }: Listed, nextOffset: number) => {
  // yauzl asks for an entry, and reads no more of it than this.
  const entry = { relativeOffsetOfLocalHeader: offset, compressedSize: compressedBytes } as Entry
  const header = await explainZipFailure(readHeader(zip, entry))
  // Some readers go by the names in front of the contents.
  if (header.path !== path) throwRefusal(`${quoteName(path)} has another name in front of its content.`)
  if (header.start + compressedBytes > nextOffset)
    throwRefusal(`${quoteName(path)} shares its bytes with another file.`)
  return header.start
}

const readHeader = async (zip: ZipFile, entry: Entry) => {
  const header = await zip.readLocalFileHeaderPromise(entry)
  const fields = parseExtraFields(header.extraField)
  const name = getFileNameLowLevel(header.generalPurposeBitFlag, header.fileName, fields, true)
  const parts = name.split('/').filter((part) => part !== '' && part !== '.')
  return { path: parts.join('/'), start: header.fileDataStart }
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
