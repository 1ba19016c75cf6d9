import { buffer } from 'node:stream/consumers'
import { StorageFailed, type ObjectStorage } from '@docket/artifact-store/object-storage'
import { fromRandomAccessReaderPromise } from 'yauzl'
import { BlockReader } from './block-reader.ts'
import { localHeaderBytes } from './zip-format.ts'

/** Where the content of an entry is in a ZIP that `createZip` wrote. */
export type ZipEntry = {
  /** First byte of its local header. */
  offset: number
  /** Bytes before its content, with the path. */
  headerBytes: number
  isStored: boolean
  crc32: number
  sizeBytes: number
  compressedBytes: number
}

/** Reads the directory of a stored ZIP: entries by path. Null for a missing object. Throws `StorageFailed` for a damaged one. */
export const readZipDirectory = async (storage: ObjectStorage, key: string): Promise<Map<string, ZipEntry> | null> => {
  const sizeBytes = await storage.readSize(key)
  if (sizeBytes === null) return null
  const read = async (start: number, end: number) => {
    const content = await storage.read(key, { start, end: end - 1 })
    if (content === null) throw new StorageFailed('The stored bundle is gone from the storage.')
    return buffer(content)
  }
  try {
    const reader = new BlockReader({ sizeBytes, read })
    const zip = await fromRandomAccessReaderPromise(reader, sizeBytes, { strictFileNames: true })
    const entries = new Map<string, ZipEntry>()
    for await (const entry of zip.eachEntry())
      entries.set(entry.fileName, {
        offset: entry.relativeOffsetOfLocalHeader,
        headerBytes: localHeaderBytes + entry.fileNameLength,
        isStored: entry.compressionMethod === 0,
        crc32: entry.crc32,
        sizeBytes: entry.uncompressedSize,
        compressedBytes: entry.compressedSize,
      })
    return entries
  } catch (error) {
    if (error instanceof StorageFailed) throw error
    throw new StorageFailed('The files of the stored bundle cannot be found: their directory is damaged.')
  }
}
