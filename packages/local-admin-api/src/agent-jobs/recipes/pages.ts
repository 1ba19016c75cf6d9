import { constants } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join, posix } from 'node:path'

/** One page, and all that a step may write. Bytes. */
const limits = { page: 2 * 1024 * 1024, step: 256 * 1024 * 1024 }

/** Markdown pages of a checkout by path, sorted. Symlinks are never among them, so nothing outside can be read or written. */
export const pagesOf = async (checkout: string): Promise<string[]> => {
  const entries = await readdir(checkout, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && /\.mdx?$/i.test(entry.name))
    .map((entry) => posix.relative(checkout, posix.join(entry.parentPath, entry.name)))
    .toSorted()
}

/** What became of the pages: how many changed, and which were left alone because they are too large or not UTF-8. */
export type PagesChanged = { changed: number; left: string[] }

/** Rewrites every page through `change`; files that stay the same are not touched. Rejects when a page or all of them would grow too large. */
export const changePages = async (
  checkout: string,
  change: (text: string, page: string) => string,
): Promise<PagesChanged> => {
  let changed = 0
  let written = 0
  const left: string[] = []
  for (const page of await pagesOf(checkout)) {
    const handle = await open(join(checkout, page), constants.O_RDWR | constants.O_NOFOLLOW)
    try {
      const before = await textOf(handle)
      if (before === null) {
        left.push(page)
        continue
      }
      const after = change(before, page)
      if (after === before) continue
      const bytes = Buffer.from(after)
      written += bytes.length
      if (bytes.length > limits.page || written > limits.step) throw new Error(tooLarge(page))
      await handle.truncate(0)
      await handle.write(bytes, 0, bytes.length, 0)
      changed += 1
    } finally {
      await handle.close()
    }
  }
  return { changed, left }
}

/** The text with every `from` replaced, and how often. Throws before it makes a text that is too large. */
export const replaceAll = (text: string, from: string, to: string, page: string) => {
  const parts = text.split(from)
  const count = parts.length - 1
  if (text.length + count * (to.length - from.length) > limits.page) throw new Error(tooLarge(page))
  return { text: parts.join(to), count }
}

const tooLarge = (page: string) =>
  `The change would make ${page}, or the pages together, too large. Nothing was changed.`

const textOf = async (handle: { stat(): Promise<{ size: number }>; readFile(): Promise<Buffer> }) => {
  if ((await handle.stat()).size > limits.page) return null
  const bytes = await handle.readFile()
  const text = bytes.toString()
  // Bytes that are no UTF-8 would be lost on the way back.
  return Buffer.from(text).equals(bytes) ? text : null
}
