import { open } from 'node:fs/promises'
import type { Bounds } from '#bounds.ts'
import { type ArchiveContent, type OnFile, ArchiveRefused } from './archive-file.ts'
import { readTar } from './read-tar.ts'
import { readZip } from './read-zip.ts'

/**
 * Reads a tar.gz, tar or zip from its first to its last byte without unpacking it, in bounded memory, and calls `onFile` for each file in
 * turn. Rejects with `ArchiveRefused` as soon as anything in it is unsafe, damaged or beyond a bound, with the error of `onFile`, or with
 * the reason of `signal`.
 */
export const readArchive = async (
  file: string,
  bounds: Bounds,
  onFile: OnFile,
  signal?: AbortSignal,
): Promise<ArchiveContent> => {
  const { start, sizeBytes } = await readStart(file)
  const reading = { file, sizeBytes, bounds, signal }
  const content = { files: 0, contentBytes: 0 }
  const count: OnFile = (found) => {
    signal?.throwIfAborted()
    content.files += 1
    content.contentBytes += found.sizeBytes
    return onFile(found)
  }
  const ending = findEnding(start)
  if (ending === '.zip') await readZip(reading, count)
  else await readTar({ ...reading, isGzip: ending === '.tar.gz' }, count)
  if (content.files === 0) throw new ArchiveRefused('refused', 'The archive has no files in it.')
  return { ending, ...content }
}

const readStart = async (file: string) => {
  const handle = await open(file)
  try {
    const start = Buffer.alloc(512)
    const { bytesRead } = await handle.read(start, 0, start.length, 0)
    return { start: start.subarray(0, bytesRead), sizeBytes: (await handle.stat()).size }
  } finally {
    await handle.close()
  }
}

const findEnding = (start: Buffer) => {
  if (start[0] === 0x1f && start[1] === 0x8b) return '.tar.gz'
  const signature = start.length < 4 ? 0 : start.readUInt32LE(0)
  // An empty ZIP begins with its end.
  if (signature === 0x04034b50 || signature === 0x06054b50) return '.zip'
  // Archives from before POSIX have no mark, so the reader decides.
  if (start.length === 512) return '.tar'
  throw new ArchiveRefused('not_an_archive', 'This is not a tar.gz, tar or zip archive.')
}
