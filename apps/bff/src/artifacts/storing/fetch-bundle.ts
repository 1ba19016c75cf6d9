import { createHash } from 'node:crypto'
import { copyFile, constants, link, open, stat } from 'node:fs/promises'
import { hashFile } from '@docket/artifact-store/object-storage'
import { AppError } from '#errors/app-error.ts'
import { NotStorable } from './storing-problem.ts'

/** A bundle on this machine, with its measures. */
export type FetchedBundle = { file: string; sha256: string; sizeBytes: number }

/** Bytes of a bundle, and their number if it is known. */
export type BundleBytes = { bytes: AsyncIterable<Uint8Array>; sizeBytes: number | null }

/**
 * Writes bytes to `file`, hashing and counting them. Throws `NotStorable` above `maxBytes`, before it writes more, and when there are fewer
 * than announced.
 */
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

/** Takes a bundle that lies on this machine, without copying its bytes where the file system can do that. */
export const linkBundle = async (
  source: string,
  { file, maxBytes }: { file: string; maxBytes: number },
): Promise<FetchedBundle> => {
  const { size } = await stat(source)
  if (size > maxBytes) throw new NotStorable('too_large')
  await link(source, file).catch(() => copyFile(source, file, constants.COPYFILE_FICLONE))
  return { file, sha256: await hashFile(file), sizeBytes: size }
}
