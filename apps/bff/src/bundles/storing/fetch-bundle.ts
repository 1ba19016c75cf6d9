import { createHash } from 'node:crypto'
import { copyFile, constants, link, open, stat } from 'node:fs/promises'
import { hashFile } from '@docket/artifact-store/object-storage'
import { AppError } from '#ground/errors/app-error.ts'
import { NotStorable } from './storing-problem.ts'

export type FetchedBundle = { file: string; sha256: string; sizeBytes: number }

export type BundleBytes = { bytes: AsyncIterable<Uint8Array>; sizeBytes: number | null }

/** Minimum pace of an upload: `bytes` within `waitMs`, which is 8 KiB a second. */
const usualPace = { bytes: 480 * 1024, waitMs: 60_000 }

const tooSlow =
  'The upload was too slow, so Docket ended it: less than 8 KiB a second arrived. Upload the file again from a faster network.'

/** Throws `invalid_request` when bytes come too slowly. */
export async function* endStalled(bytes: AsyncIterable<Uint8Array>, pace = usualPace): AsyncGenerator<Uint8Array> {
  const source = bytes[Symbol.asyncIterator]()
  let waitedMs = 0
  let received = 0
  for (;;) {
    const since = performance.now()
    const next = await rejectWhenStalled(source.next(), pace.waitMs - waitedMs)
    if (next.done === true) return
    received += next.value.length
    waitedMs += performance.now() - since
    if (received >= pace.bytes) waitedMs = received = 0
    yield next.value
  }
}

const rejectWhenStalled = async <T>(work: Promise<T>, waitMs: number): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>()
  const stalled = () => reject(new AppError('invalid_request', tooSlow))
  const timer = setTimeout(stalled, waitMs)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}

/** Writes bytes to `file`, hashing and counting them. Throws `NotStorable` before it exceeds `maxBytes`, or with fewer than announced. */
export const writeBundle = async (
  { bytes, sizeBytes: announced }: BundleBytes,
  options: { file: string; maxBytes: number; onProgress: (done: number, total: number | null) => void },
): Promise<FetchedBundle> => {
  const { file, maxBytes, onProgress } = options
  const tooLarge = () => new NotStorable('too_large')
  if (announced !== null && announced > maxBytes) throw tooLarge()
  const hash = createHash('sha256')
  let sizeBytes = 0
  await using handle = await open(file, 'wx', 0o600)
  for await (const chunk of bytes) {
    sizeBytes += chunk.length
    if (sizeBytes > maxBytes) throw tooLarge()
    hash.update(chunk)
    // A short write ends with ENOSPC at the next one.
    for (let at = 0; at < chunk.length;) at += (await handle.write(chunk, at)).bytesWritten
    onProgress(sizeBytes, announced)
  }
  if (announced !== null && sizeBytes !== announced)
    throw new AppError(
      'upstream_unexpected',
      `The bundle has ${sizeBytes} bytes instead of the announced ${announced}.`,
    )
  if (sizeBytes === 0) throw new NotStorable('not_an_archive', 'The bundle is empty. Export the site again.')
  return { file, sha256: hash.digest('hex'), sizeBytes }
}

/** Gives a file a second name, without copying its bytes if the file system supports that. */
export const linkFile = (source: string, target: string): Promise<void> =>
  link(source, target).catch(() => copyFile(source, target, constants.COPYFILE_FICLONE))

export const linkBundle = async (
  source: string,
  { file, maxBytes }: { file: string; maxBytes: number },
): Promise<FetchedBundle> => {
  const { size } = await stat(source)
  if (size > maxBytes) throw new NotStorable('too_large')
  await linkFile(source, file)
  return { file, sha256: await hashFile(file), sizeBytes: size }
}
