import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { join, posix } from 'node:path'
import type { Root } from 'mdast'
import remarkGfm from 'remark-gfm'
import remarkMdx from 'remark-mdx'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { decodeUtf8, readFolder } from '#files/walk-files.ts'
import { type Outcome, type RecipeWork, collectLines } from '#recipes/recipe.ts'

/** Maximum size of one page, and of all writes of one step. Bytes. */
const limits = { page: 2 * 1024 * 1024, step: 256 * 1024 * 1024 }

const notOurs = new Set(['node_modules', 'vendor', '.git'])

/** Lists files, sorted. Leaves out symlinks, so that nothing outside is read or written, and names that are not UTF-8. */
export const listFiles = async (checkout: string): Promise<string[]> => {
  const files: string[] = []
  const walk = async (folder: string): Promise<void> => {
    for (const { name, entry } of await readFolder(checkout, folder)) {
      if (name === null || notOurs.has(name)) continue
      const path = posix.join(folder, name)
      if (entry.isDirectory()) await walk(path)
      else if (entry.isFile()) files.push(path)
    }
  }
  await walk('')
  return files.toSorted()
}

export const isPage = (file: string): boolean => /\.mdx?$/i.test(file)

export const isInFolder = (folder: string, file: string): boolean => folder === '' || file.startsWith(`${folder}/`)

export const listPages = async ({ checkout, folder }: Pick<RecipeWork, 'checkout' | 'folder'>): Promise<string[]> =>
  (await listFiles(checkout)).filter((file) => isPage(file) && isInFolder(folder, file))

export const listScope = async (work: RecipeWork): Promise<string[]> =>
  work.pages ? [...work.pages] : await listPages(work)

/** Null when the file does not parse. `at` is an offset. */
export type FileWork = { edits: Edit[]; findings?: { at: number; what: string }[] } | null

/** `left`: files that are too large or not UTF-8. */
export type FilesChanged = Pick<Outcome, 'files' | 'changes' | 'findings'> & {
  left: string[]
  unparsed: string[]
  beyond: number
}

/** Stops at the limit of the order. Rejects when a file or the total grows too large. */
export const changeFiles = async (
  work: RecipeWork,
  files: readonly string[],
  change: (text: string, file: string) => FileWork | Promise<FileWork>,
): Promise<FilesChanged> => {
  const [changes, findings] = [collectLines(), collectLines()]
  const result: FilesChanged = {
    files: 0,
    changes: changes.lines,
    findings: findings.lines,
    left: [],
    unparsed: [],
    beyond: 0,
  }
  let totalBytes = 0
  for (const file of files) {
    const before = await readText(work.checkout, file)
    const found = before === null ? null : await change(before, file)
    if (before === null || found === null) {
      ;(before === null ? result.left : result.unparsed).push(file)
      continue
    }
    const at = (offset: number) => `${file}:${countLines(before, offset)}`
    for (const { at: offset, what } of found.findings ?? []) findings.add(() => `${at(offset)} ${what}`)
    const edits = found.edits.filter(({ start, end, text }) => before.slice(start, end) !== text)
    if (edits.length === 0) continue
    if (work.limit !== undefined && result.files >= work.limit) {
      result.beyond += 1
      continue
    }
    assertSize(file, before.length + edits.reduce((sum, { start, end, text }) => sum + text.length - (end - start), 0))
    const bytes = Buffer.from(applyEdits(before, edits))
    totalBytes += bytes.length
    if (totalBytes > limits.step) throw new Error(describeTooLarge(file))
    assertSize(file, bytes.length)
    await writeBytes(work.checkout, file, bytes)
    result.files += 1
    for (const { start, end, text } of edits)
      changes.add(() => `${at(start)} ${before.slice(start, end)} → ${text === '' ? '(removed)' : text}`)
  }
  return result
}

export const noteLimit = ({ beyond }: Pick<FilesChanged, 'beyond'>, limit: number | undefined): string[] =>
  beyond === 0 ? [] : [`Stopped at the limit of ${limit}: ${beyond} more would change.`]

const countLines = (text: string, offset: number) => {
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}

/** Null when the file is too large or not UTF-8, because writing it back would damage it. */
export const readText = async (checkout: string, file: string): Promise<string | null> => {
  await using handle = await open(join(checkout, file), constants.O_RDONLY | constants.O_NOFOLLOW)
  if ((await handle.stat()).size > limits.page) return null
  return decodeUtf8(await handle.readFile())
}

export const writeBytes = async (checkout: string, file: string, bytes: Buffer): Promise<void> => {
  await using handle = await open(join(checkout, file), constants.O_RDWR | constants.O_NOFOLLOW)
  await handle.truncate(0)
  await handle.write(bytes, 0, bytes.length, 0)
}

export type Edit = { start: number; end: number; text: string }

/** Edits must not overlap. */
export const applyEdits = (text: string, edits: readonly Edit[]): string => {
  const parts: string[] = []
  let at = 0
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    if (edit.start < at) throw new RangeError('Edits overlap.')
    parts.push(text.slice(at, edit.start), edit.text)
    at = edit.end
  }
  return parts.join('') + text.slice(at)
}

const assertSize = (file: string, size: number) => {
  if (size > limits.page) throw new Error(describeTooLarge(file))
}

const describeTooLarge = (file: string) =>
  `The change would make ${file}, or the pages together, too large. Nothing was changed.`

const markdown = unified().use(remarkParse).use(remarkGfm).freeze()
const mdx = unified().use(remarkParse).use(remarkGfm).use(remarkMdx).freeze()

const frontMatter = /^\uFEFF?---[ \t]*\r?\n(?:[\s\S]*?\r?\n)?---[ \t]*(?=\r?\n|$)/

/** Characters; 0 without front matter. */
export const measureFrontMatter = (text: string): number => frontMatter.exec(text)?.[0].length ?? 0

/** Offsets into `text`; front matter and a byte order mark count as blanks. Null for MDX that does not parse. */
export const parsePage = (text: string, file: string): Root | null => {
  const length = Math.max(measureFrontMatter(text), text.startsWith('\uFEFF') ? 1 : 0)
  const blank = text.slice(0, length).replaceAll(/[^\r\n]/g, ' ') + text.slice(length)
  if (!/\.mdx$/i.test(file)) return markdown.parse(blank)
  try {
    return mdx.parse(blank)
  } catch {
    return null
  }
}

export const toSpan = (node: {
  position?: { start: { offset?: number | undefined }; end: { offset?: number | undefined } } | undefined
}) => ({
  start: node.position?.start.offset ?? 0,
  end: node.position?.end.offset ?? 0,
})
