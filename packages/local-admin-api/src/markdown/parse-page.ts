import type { Root as HastRoot } from 'hast'
import type { Code, Root as MdastRoot } from 'mdast'
import rehypeRaw from 'rehype-raw'
import remarkGfm from 'remark-gfm'
import remarkMdx from 'remark-mdx'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { visit } from 'unist-util-visit'
import { openContainers } from '#markdown/containers.ts'
import { mdxToElements } from '#markdown/mdx-elements.ts'
import type { Note } from '#markdown/page-notes.ts'

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

/** Parses a page into elements that are not yet safe to show. MDX that does not parse is read as Markdown. */
export const parsePage = (source: string, isMdx: boolean, note: Note): HastRoot => {
  if (isMdx) {
    try {
      const tree = mdxParser.parse(source)
      keepCodeMeta(tree)
      const html = toHtmlWithMdx.runSync(tree)
      mdxToElements(html, note)
      return html
    } catch (error) {
      note('not-understood', `read as plain Markdown, because its MDX does not parse: ${sentenceOf(error)}`)
    }
  }
  const tree = markdownParser.parse(openContainers(withoutModuleLines(source, isMdx)))
  keepCodeMeta(tree)
  const html = unified().use(remarkRehype, { allowDangerousHtml: true }).runSync(tree)
  visit(html, 'raw', (node) => {
    node.value = closeSelfClosed(node.value)
  })
  return unified().use(rehypeRaw).runSync(html)
}

/** The language of a code block is one word; what follows it would not survive raw HTML, so it travels as an attribute. */
const keepCodeMeta = (tree: MdastRoot) => {
  visit(tree, 'code', (node: Code) => {
    const [, lang = '', rest = ''] = /^([\w+#.-]*)(.*)$/s.exec(node.lang ?? '') ?? []
    const meta = `${rest.replace(/^:[\w-]+/, '')} ${node.meta ?? ''}`.trim()
    node.lang = lang.toLowerCase() || null
    node.meta = null
    if (meta) node.data = { ...node.data, hProperties: { dataMeta: meta } }
  })
}

const voidElements = /^(area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/i

/** `<Card />` would swallow all that follows it, as HTML has no such form. */
const closeSelfClosed = (html: string) =>
  html.replace(/<([A-Za-z][\w.-]*)((?:\s[^<>]*?)?)\/>/g, (whole, name: string, attributes: string) =>
    voidElements.test(name) ? whole : `<${name}${attributes}></${name}>`,
  )

/** Imports and exports at the start of lines, when MDX has to be read as Markdown. */
const withoutModuleLines = (source: string, isMdx: boolean) =>
  isMdx ? source.replace(/^(import\s.+from\s.+|export\s.+)$/gm, '') : source

const sentenceOf = (error: unknown) => (error instanceof Error ? error.message.split('\n')[0]! : 'unknown reason')
