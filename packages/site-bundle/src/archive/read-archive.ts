import { open } from 'node:fs/promises'
import type { Bounds } from '#bounds.ts'
import { type ArchiveContent, type OnFile, ArchiveRefused } from './archive-file.ts'
import { createEntryList } from './entry-list.ts'
import { headBytes, judgeBytes } from './judge-bytes.ts'
import { readTar } from './read-tar.ts'
import { readZip } from './read-zip.ts'

/**
 * Reads an archive from its first to its last byte without unpacking it, in bounded memory, and calls `onFile` for each file in turn.
 * Rejects with `ArchiveRefused` as soon as anything in it is unsafe, damaged or beyond a bound, with the error of `onFile`, or with the
 * reason of `signal`.
 */
export const readArchive = async (
  file: string,
  bounds: Bounds,
  onFile: OnFile,
  signal?: AbortSignal,
): Promise<ArchiveContent> => {
  const { start, sizeBytes } = await readStart(file)
  const judged = judgeBytes(start)
  // Damaged gzip says nothing about its content, so the reader decides.
  if (judged.name !== null && (judged.kind !== 'other' || !judged.name.startsWith('a gzip')))
    throw new ArchiveRefused(
      'not_an_archive',
      `This is ${judged.name}. Docket reads .tar.gz, .tar.zst, .tar and .zip archives.`,
    )
  const ending = judged.name === null ? judged.ending : '.tar.gz'
  const list = createEntryList(bounds)
  const reading = { file, sizeBytes, bounds, signal, list }
  const call: OnFile = (found) => {
    signal?.throwIfAborted()
    return onFile(found)
  }
  if (ending === '.zip') await readZip(reading, call)
  else await readTar({ ...reading, ending }, call)
  const content = list.finish(sizeBytes)
  if (content.sources.size === 0) throw new ArchiveRefused('refused', 'The archive has no files in it.')
  return { ending, ...content, foreignParts: list.foreignParts }
}

const readStart = async (file: string) => {
  await using handle = await open(file)
  const start = Buffer.alloc(headBytes)
  const { bytesRead } = await handle.read(start, 0, start.length, 0)
  return { start: start.subarray(0, bytesRead), sizeBytes: (await handle.stat()).size }
}
