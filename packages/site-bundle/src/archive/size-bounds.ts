import type { Bounds } from '#bounds.ts'
import { ArchiveRefused } from './archive-refused.ts'
import { quote } from './entry-paths.ts'

/** Small sites compress well, so the ratio counts beyond this many bytes of content. */
const ratioFromBytes = 16 * 1024 ** 2

/** Refuses a file that says that it is too large. */
export const refuseFile = (name: string, sizeBytes: number, bounds: Bounds): void => {
  if (sizeBytes > bounds.fileBytes)
    throw new ArchiveRefused('too_large', `${quote(name)} is larger than ${format(bounds.fileBytes)}.`)
}

/** Refuses an archive of `archiveBytes` that has `contentBytes` so far. */
export const refuseTotal = (contentBytes: number, archiveBytes: number, bounds: Bounds): void => {
  if (contentBytes > bounds.contentBytes)
    throw new ArchiveRefused('too_large', `The content of the archive is larger than ${format(bounds.contentBytes)}.`)
  if (contentBytes > ratioFromBytes && contentBytes > archiveBytes * bounds.ratio)
    throw new ArchiveRefused(
      'refused',
      `The content of the archive is more than ${bounds.ratio} times as large as the archive.`,
    )
}

const format = (bytes: number) => {
  const [unit, divisor] = bytes >= 1024 ** 3 ? ['GB', 1024 ** 3] : ['MB', 1024 ** 2]
  return `${(bytes / divisor).toLocaleString('en', { maximumFractionDigits: 1 })} ${unit}`
}
