import type { Root } from 'mdast'
import remarkGfm from 'remark-gfm'
import remarkMdx from 'remark-mdx'
import remarkParse from 'remark-parse'
import { unified } from 'unified'

const markdown = unified().use(remarkParse).use(remarkGfm).freeze()
const mdx = unified().use(remarkParse).use(remarkGfm).use(remarkMdx).freeze()

const frontMatter = /^\uFEFF?---[ \t]*\r?\n(?:[\s\S]*?\r?\n)?---[ \t]*(?=\r?\n|$)/

/** Length of the front matter in characters; 0 without one. */
export const frontMatterLength = (text: string): number => frontMatter.exec(text)?.[0].length ?? 0

/**
 * Syntax tree of a page, with offsets into `text`; front matter and a byte order mark count as blanks. Null for MDX that does not parse.
 */
export const parsePage = (text: string, file: string): Root | null => {
  const length = Math.max(frontMatterLength(text), text.startsWith('\uFEFF') ? 1 : 0)
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
