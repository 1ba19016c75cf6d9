import { count } from '@docket/sources/text'
import { markdownTable } from 'markdown-table'
import type { Heading, RootContent, Table } from 'mdast'
import { parsePage, toSpan } from '#recipes/docs/page-tree.ts'
import { applyEdits, type Edit } from '#recipes/docs/pages.ts'
import type { Step } from '#recipes/recipe.ts'
import { reformatPages, tidy } from './tidy-whitespace.ts'

/** Wider tables have no columns to be seen, and a change of one cell would change every line. Characters. */
const maxTableWidth = 120

/**
 * Formats pages where that cannot change their meaning: `#` headings, one blank line between blocks, aligned tables.
 * Keeps every other character. Skips pages whose syntax tree would change.
 */
export const formatPages: Step = async (work) => {
  const { changed, report } = await reformatPages(work, format)
  return report(changed === 0 ? 'Nothing to format.' : `Formatted ${count(changed, 'page')}.`)
}

/** Formats the text of a page and tidies its whitespace. */
export const format = (source: string, page: string): string => {
  const text = tidy(source, page)
  const tree = parsePage(text, page)
  if (tree === null) return text
  const blocks = tree.children
  const edits = blocks.flatMap((block, index): Edit[] => {
    const next = blocks[index + 1]
    return [...formatted(block, text), ...(next ? blankLine(block, next, text) : [])]
  })
  return applyEdits(text, edits)
}

const formatted = (block: RootContent, text: string): Edit[] => {
  const { start, end } = toSpan(block)
  const source = text.slice(start, end)
  const fresh =
    block.type === 'heading'
      ? formatHeading(block, source)
      : block.type === 'table'
        ? formatTable(block, source, text)
        : null
  return fresh === null || fresh === source ? [] : [{ start, end, text: fresh }]
}

/** Leaves one blank line between blocks, and adds one beside headings and code. Skips HTML and JSX. */
const blankLine = (block: RootContent, next: RootContent, text: string): Edit[] => {
  const [start, end] = [toSpan(block).end, toSpan(next).start]
  const gap = text.slice(start, end)
  const isMarkup = [block, next].some(({ type }) => type === 'html' || type.startsWith('mdx'))
  if (isMarkup || !/^\s+$/.test(gap)) return []
  const ends = gap.match(/\r?\n/g) ?? []
  const isTight = ends.length === 1 && [block, next].some(({ type }) => type === 'heading' || type === 'code')
  if (ends.length < 3 && !isTight) return []
  const indentation = /[ \t]*$/.exec(gap)![0]
  return [{ start, end, text: ends[0]! + ends[0]! + indentation }]
}

const formatHeading = ({ depth }: Heading, source: string): string | null => {
  const signs = '#'.repeat(depth)
  const withSigns = /^#{1,6}[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/.exec(source)
  if (withSigns) return `${signs} ${withSigns[1]!}`
  const underlined = /^(\S[^\r\n]*?)[ \t]*\r?\n[ \t]*(?:=+|-+)[ \t]*$/.exec(source)
  return underlined ? `${signs} ${underlined[1]!}` : null
}

/** Null for a table that is not plainly one line a row and as many cells in each. */
const formatTable = ({ children, align }: Table, source: string, text: string): string | null => {
  const lines = source.split(/\r?\n/)
  const rows = children.map((row) =>
    row.children.map((cell) => {
      const [first, last] = [cell.children[0], cell.children.at(-1)]
      return first && last ? text.slice(toSpan(first).start, toSpan(last).end) : ''
    }),
  )
  const isPlain = rows.every((row) => row.length === rows[0]!.length) && lines.length === rows.length + 1
  if (!isPlain || lines.some((line) => /^\s/.test(line))) return null
  const options = { align: align ?? [] }
  const inColumns = markdownTable(rows, options)
  const isWide = inColumns.split('\n').some((line) => line.length > maxTableWidth)
  const [head = '', delimiters = '', ...body] = (
    isWide ? markdownTable(rows, { ...options, alignDelimiters: false }) : inColumns
  ).split('\n')
  // Some tools recognize a table only with three dashes per column.
  const fresh = [head, delimiters.replaceAll(/(?<!-)-{1,2}(?!-)/g, '---'), ...body]
  return fresh.join(source.includes('\r\n') ? '\r\n' : '\n')
}
