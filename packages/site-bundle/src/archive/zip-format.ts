import type { Entry } from 'yauzl'

export type ZipSizes = {
  /** That of the local header. */
  offset: number
  isStored: boolean
  crc32: number
  sizeBytes: number
  compressedBytes: number
}

export const readSizes = (entry: Entry): ZipSizes => ({
  offset: entry.relativeOffsetOfLocalHeader,
  isStored: entry.compressionMethod === 0,
  crc32: entry.crc32,
  sizeBytes: entry.uncompressedSize,
  compressedBytes: entry.compressedSize,
})

/** `path` is UTF-8. */
export type ZipRecord = ZipSizes & { path: Buffer }

export const localHeaderBytes = 30
const centralHeaderBytes = 46
const namesAreUtf8 = 0x0800
/** 1 January 1980, the first day of the format. */
const date = { time: 0, day: 0x21 }
const version = { plain: 20, zip64: 45, madeBy: (3 << 8) | 63 }
const plainFile = 0o100644 << 16
const [max16, max32] = [0xffff, 0xffff_ffff]

const writeCommonFields = (header: Buffer, at: number, record: ZipRecord, needed: number) => {
  header.writeUInt16LE(needed, at)
  header.writeUInt16LE(namesAreUtf8, at + 2)
  header.writeUInt16LE(record.isStored ? 0 : 8, at + 4)
  header.writeUInt16LE(date.time, at + 6)
  header.writeUInt16LE(date.day, at + 8)
  header.writeUInt32LE(record.crc32, at + 10)
  header.writeUInt32LE(record.compressedBytes, at + 14)
  header.writeUInt32LE(record.sizeBytes, at + 18)
  header.writeUInt16LE(record.path.length, at + 22)
}

/** Header before the content of an entry. It has no extra fields, so the content begins right after the path. */
export const createLocalHeader = (record: ZipRecord): Buffer => {
  const header = Buffer.alloc(localHeaderBytes)
  header.writeUInt32LE(0x04034b50, 0)
  writeCommonFields(header, 4, record, version.plain)
  return Buffer.concat([header, record.path])
}

export const createCentralHeader = (record: ZipRecord): Buffer => {
  const isFar = record.offset >= max32
  const header = Buffer.alloc(centralHeaderBytes)
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE(version.madeBy, 4)
  writeCommonFields(header, 6, record, isFar ? version.zip64 : version.plain)
  header.writeUInt32LE(plainFile >>> 0, 38)
  header.writeUInt32LE(isFar ? max32 : record.offset, 42)
  if (!isFar) return Buffer.concat([header, record.path])
  const extra = Buffer.alloc(12)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(8, 2)
  extra.writeBigUInt64LE(BigInt(record.offset), 4)
  header.writeUInt16LE(extra.length, 30)
  return Buffer.concat([header, record.path, extra])
}

/** End of the file. The directory takes bytes `start` to `end`, `end` excluded. */
export const createEndRecord = (directory: { entries: number; start: number; end: number }): Buffer => {
  const { entries, start, end } = directory
  const size = end - start
  const last = Buffer.alloc(22)
  last.writeUInt32LE(0x06054b50, 0)
  last.writeUInt16LE(Math.min(entries, max16), 8)
  last.writeUInt16LE(Math.min(entries, max16), 10)
  last.writeUInt32LE(Math.min(size, max32), 12)
  last.writeUInt32LE(Math.min(start, max32), 16)
  if (entries < max16 && size < max32 && start < max32) return last
  const record = Buffer.alloc(56)
  record.writeUInt32LE(0x06064b50, 0)
  record.writeBigUInt64LE(BigInt(record.length - 12), 4)
  record.writeUInt16LE(version.madeBy, 12)
  record.writeUInt16LE(version.zip64, 14)
  record.writeBigUInt64LE(BigInt(entries), 24)
  record.writeBigUInt64LE(BigInt(entries), 32)
  record.writeBigUInt64LE(BigInt(size), 40)
  record.writeBigUInt64LE(BigInt(start), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(end), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([record, locator, last])
}
