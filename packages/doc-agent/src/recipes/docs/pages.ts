import { constants } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join, posix } from 'node:path'
import type { RecipeWork } from '#recipes/recipe.ts'

/** Maximum size of one page, and of all writes of one step. Bytes. */
const limits = { page: 2 * 1024 * 1024, step: 256 * 1024 * 1024 }

const notOurs = new Set(['node_modules', 'vendor', '.git'])

/** Files of a checkout by path, sorted. Symlinks are never among them, so nothing outside can be read or written. */
export const listFiles = async (checkout: string): Promise<string[]> => {
  const entries = await readdir(checkout, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => posix.relative(checkout, posix.join(entry.parentPath, entry.name)))
    .filter((path) => !path.split('/').some((part) => notOurs.has(part)))
    .toSorted()
}

export const isPage = (file: string): boolean => /\.mdx?$/i.test(file)

/** Markdown pages of the project's folder by path, sorted. */
export const listPages = async ({ checkout, folder }: RecipeWork): Promise<string[]> =>
  (await listFiles(checkout)).filter((file) => isPage(file) && (folder === '' || file.startsWith(`${folder}/`)))

/** Result of a change: number of changed pages, and those skipped because they are too large or not UTF-8. */
export type PagesChanged = { changed: number; left: string[] }

/**
 * Rewrites every page through `change`, and leaves unchanged files alone. Rejects when a page, or all pages together,
 * grow too large.
 */
export const changePages = async (
  work: RecipeWork,
  change: (text: string, page: string) => string | Promise<string>,
): Promise<PagesChanged> => {
  let changed = 0
  let totalBytes = 0
  const left: string[] = []
  for (const page of await listPages(work)) {
    const before = await readText(work.checkout, page)
    if (before === null) {
      left.push(page)
      continue
    }
    const after = await change(before, page)
    if (after === before) continue
    const bytes = Buffer.from(after)
    totalBytes += bytes.length
    if (bytes.length > limits.page || totalBytes > limits.step) throw new Error(tooLarge(page))
    await writeBytes(work.checkout, page, bytes)
    changed += 1
  }
  return { changed, left }
}

/** Text of a file, or null when it is too large or not UTF-8, because writing it back would damage it. */
export const readText = async (checkout: string, file: string): Promise<string | null> => {
  const handle = await open(join(checkout, file), constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    if ((await handle.stat()).size > limits.page) return null
    const bytes = await handle.readFile()
    const text = bytes.toString()
    return Buffer.from(text).equals(bytes) ? text : null
  } finally {
    await handle.close()
  }
}

/** Replaces the content of an existing file, and keeps its mode. */
export const writeBytes = async (checkout: string, file: string, bytes: Buffer): Promise<void> => {
  const handle = await open(join(checkout, file), constants.O_RDWR | constants.O_NOFOLLOW)
  try {
    await handle.truncate(0)
    await handle.write(bytes, 0, bytes.length, 0)
  } finally {
    await handle.close()
  }
}

/** The text with every `from` replaced, and how often. Throws before it makes a text that is too large. */
export const replaceAll = (text: string, from: string, to: string, page: string) => {
  const parts = text.split(from)
  const count = parts.length - 1
  if (text.length + count * (to.length - from.length) > limits.page) throw new Error(tooLarge(page))
  return { text: parts.join(to), count }
}

/** A change of a part of a text. */
export type Edit = { start: number; end: number; text: string }

/** The text with its parts changed; every other character stays. Edits must not overlap. */
export const applyEdits = (text: string, edits: readonly Edit[]): string => {
  let result = ''
  let at = 0
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    if (edit.start < at) throw new RangeError('Edits overlap.')
    result += text.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return result + text.slice(at)
}

const tooLarge = (page: string) =>
  `The change would make ${page}, or the pages together, too large. Nothing was changed.`
