import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Most that a checkout may take on the disk, and hold. Bytes; files and folders. */
const limits = { bytes: 2 * 1024 ** 3, entries: 500_000 }
const everyMs = 2000

/** Looks at `folder` from time to time and calls `onTooMuch` once when it has grown beyond the limits. Returns the way to end it. */
export const watchDisk = (folder: string, onTooMuch: (sentence: string) => void, most = limits): (() => void) => {
  let timer: NodeJS.Timeout | undefined
  let isEnded = false
  const look = async () => {
    const used = { bytes: 0, entries: 0 }
    await add(folder, used, most)
    if (isEnded) return
    if (used.bytes > most.bytes || used.entries > most.entries) onTooMuch(sentenceOf(most))
    else timer = setTimeout(() => void look(), everyMs)
  }
  timer = setTimeout(() => void look(), everyMs)
  return () => {
    isEnded = true
    clearTimeout(timer)
  }
}

const sentenceOf = ({ bytes, entries }: typeof limits) =>
  `The command was stopped: it wrote more than ${Math.round(bytes / 1024 ** 2)} MB or ${entries} files.`

/** What vanishes while it is looked at does not count. */
const add = async (folder: string, used: typeof limits, most: typeof limits): Promise<void> => {
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    used.entries += 1
    if (used.entries > most.entries || used.bytes > most.bytes) return
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await add(path, used, most)
    else used.bytes += ((await lstat(path).catch(() => null))?.blocks ?? 0) * 512
  }
}
