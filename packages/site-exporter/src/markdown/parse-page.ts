import type { Root as HastRoot } from 'hast'
import type { Code, Root as MdastRoot } from 'mdast'
import rehypeRaw from 'rehype-raw'
import remarkGfm from 'remark-gfm'
import remarkMdx from 'remark-mdx'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { visit } from 'unist-util-visit'
import { openAdmonitions } from './admonitions.ts'
import { openContainers } from './containers.ts'
import { withinElements } from '#markdown/limits/element-limit.ts'
import { mdxToElements } from '#markdown/mdx/mdx-elements.ts'
import type { PagePieces } from '#markdown/mdx/page-pieces.ts'
import { repairMdx } from '#markdown/mdx/mdx-repairs.ts'
import type { Note } from './page-notes.ts'
import { closedNames, readableTags } from '#markdown/mdx/raw-tags.ts'

const mdxNodes = [
  'mdxJsxFlowElement',
  'mdxJsxTextElement',
  'mdxFlowExpression',
  'mdxTextExpression',
  'mdxjsEsm',
] as const

const markdownParser = unified().use(remarkParse).use(remarkGfm).freeze()
const mdxParser = unified().use(remarkParse).use(remarkGfm).use(remarkMdx).freeze()
const toHtmlWithMdx = unified()
  .use(remarkRehype, { passThrough: [...mdxNodes] })
  .freeze()

const rawToHtml = unified().use(rehypeRaw).freeze()

/** Parses HTML into unsafe elements. */
export const parseHtml = (source: string): HastRoot =>
  withinElements(() => rawToHtml.runSync({ type: 'root', children: [{ type: 'raw', value: source }] })) as HastRoot

/** Parses a page into unsafe elements. Falls back to Markdown for invalid MDX. */
export const parsePage = (source: string, isMdx: boolean, note: Note, pieces: PagePieces): HastRoot => {
  const tree = parseTree(source, isMdx, note, pieces.plainBody ?? source)
  if (isMdx) mdxToElements(tree, note, pieces, (piece) => parseTree(piece, true, note, piece))
  return tree
}

/** Parses text, with MDX nodes if it is MDX. Falls back to `plainBody` as Markdown. */
const parseTree = (source: string, isMdx: boolean, note: Note, plainBody: string): HastRoot => {
  const text = openContainers(openAdmonitions(source))
  if (isMdx) {
    const strictly = parseMdx(text)
    const parsed = strictly instanceof Error ? parseMdx(repairMdx(text)) : strictly
    if (!(parsed instanceof Error)) return parsed
    note('not-understood', `read as plain Markdown, because its MDX does not parse: ${parsed.message.split('\n')[0]}`)
    return parseTree(withoutModuleLines(plainBody), false, note, '')
  }
  const tree = markdownParser.parse(text)
  keepCodeMeta(tree)
  const html = unified().use(remarkRehype, { allowDangerousHtml: true }).runSync(tree)
  const pieces: { value: string }[] = []
  visit(html, 'raw', (node) => void pieces.push(node))
  // Skips a second parse that takes ten times as long and changes nothing.
  if (pieces.length === 0) return html
  const closed = closedNames(pieces.map(({ value }) => value))
  for (const piece of pieces) piece.value = readableTags(piece.value, closed)
  return withinElements(() => rawToHtml.runSync(html)) as HastRoot
}

const parseMdx = (source: string): HastRoot | Error => {
  try {
    const tree = mdxParser.parse(source)
    keepCodeMeta(tree)
    return toHtmlWithMdx.runSync(tree)
  } catch (error) {
    return error instanceof Error ? error : new Error('unknown reason')
  }
}

/** Moves the meta of a code block to an attribute, which survives raw HTML. */
const keepCodeMeta = (tree: MdastRoot) => {
  visit(tree, 'code', (node: Code) => {
    const [, lang = '', rest = ''] = /^([\w+#.-]*)(.*)$/s.exec(node.lang ?? '') ?? []
    const meta = `${rest.replace(/^[:,][^\s{[]*/, '')} ${node.meta ?? ''}`.trim()
    node.lang = lang.toLowerCase() || null
    node.meta = null
    if (meta) node.data = { ...node.data, hProperties: { dataMeta: meta } }
  })
}

/** Drops lines of imports and exports from MDX that is read as Markdown. */
const withoutModuleLines = (source: string) => source.replace(/^(import\s.+from\s.+|export\s.+)$/gm, '')
