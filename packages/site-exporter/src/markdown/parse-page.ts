import type { Root as HastRoot } from 'hast'
import type { Code, Root as MdastRoot, Nodes, Parents } from 'mdast'
import remarkGfm from 'remark-gfm'
import remarkMdx from 'remark-mdx'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified, type Processor } from 'unified'
import { mapLines } from '#markdown/map-lines.ts'
import { findExcess, maxImportCost } from '#markdown/limits/page-cost.ts'
import { walkTree } from '#markdown/walk-tree.ts'
import { openAdmonitions } from './admonitions.ts'
import { openContainers } from './containers.ts'
import { addFormulaSyntax, markFormulas, openFormulas, type FormulaRule } from '#markdown/formulas/formula-syntax.ts'
import { replaceMdxNodes } from '#markdown/mdx/mdx-elements.ts'
import { parseAroundMistakes, repairMdx, removeComments } from '#markdown/mdx/mdx-mistakes.ts'
import type { PagePieces } from '#markdown/mdx/page-pieces.ts'
import type { Note } from './page-notes.ts'
import { parseRaw } from './parse-html.ts'
import { findClosedNames, repairTags } from '#markdown/mdx/raw-tags.ts'

const mdxNodes = [
  'mdxJsxFlowElement',
  'mdxJsxTextElement',
  'mdxFlowExpression',
  'mdxTextExpression',
  'mdxjsEsm',
] as const

const gfm = unified().use(remarkParse).use(remarkGfm).use(autolinkSparingly).freeze()
const withFormulas = gfm().use(addFormulaSyntax).freeze()
const markdownParsers = { none: gfm, dollars: withFormulas, tex: withFormulas }
const mdxParsers = { none: gfm().use(remarkMdx).freeze(), dollars: withFormulas().use(remarkMdx).freeze() }
const toHtmlWithMdx = unified()
  .use(remarkRehype, { passThrough: [...mdxNodes] })
  .freeze()

export type PageKind = { isMdx: boolean; formulas: FormulaRule; pieces: PagePieces }

/** Parses a page into unsafe elements. Falls back to Markdown for invalid MDX. */
export const parsePage = (source: string, { isMdx, formulas, pieces }: PageKind, note: Note): HastRoot => {
  const parse = (text: string, plainBody: string) => parseTree(text, { isMdx, formulas, plainBody }, note)
  const tree = parse(source, pieces.plainBody ?? source)
  if (isMdx) replaceMdxNodes(tree, note, pieces, (piece) => parse(piece, piece))
  return tree
}

type TreeKind = Pick<PageKind, 'isMdx' | 'formulas'> & { plainBody: string }

/** Parses text, with MDX nodes if it is MDX. Falls back to `plainBody` as Markdown. */
const parseTree = (source: string, { isMdx, formulas, plainBody }: TreeKind, note: Note): HastRoot => {
  const text = openFormulas(openContainers(openAdmonitions(source)), formulas)
  if (isMdx) {
    const strictly = parseMdx(text, formulas)
    const parsed =
      strictly instanceof Error
        ? parseAroundMistakes(repairMdx(text), (piece) => parseMdx(piece, formulas), note)
        : strictly
    if (!(parsed instanceof Error)) return parsed
    note('not-understood', `read as plain Markdown, because its MDX does not parse: ${parsed.message.split('\n')[0]}`)
    const excess = findExcess(plainBody, maxImportCost)
    if (excess !== null) throw new Error(excess)
    return parseTree(removeModules(plainBody), { isMdx: false, formulas, plainBody: '' }, note)
  }
  const tree = markdownParsers[formulas].parse(text)
  keepCodeMeta(tree)
  keepCodeText(tree)
  markFormulas(tree, text)
  const html = unified().use(remarkRehype, { allowDangerousHtml: true }).runSync(tree)
  const pieces: { value: string }[] = []
  walkTree(html, 'raw', (node) => void pieces.push(node))
  // Skips a second parse that takes ten times as long and changes nothing.
  if (pieces.length === 0) return html
  const closed = findClosedNames(pieces.map(({ value }) => value))
  for (const piece of pieces) piece.value = repairTags(piece.value, closed)
  return parseRaw(html)
}

const parseMdx = (source: string, formulas: FormulaRule): HastRoot | Error => {
  try {
    const tree = mdxParsers[formulas === 'none' ? 'none' : 'dollars'].parse(source)
    keepCodeMeta(tree)
    markFormulas(tree, source)
    return toHtmlWithMdx.runSync(tree)
  } catch (error) {
    return error instanceof Error ? error : new Error('unknown reason')
  }
}

/** Moves the meta of a code block to an attribute, which survives raw HTML. */
const keepCodeMeta = (tree: MdastRoot) => {
  walkTree(tree, 'code', (node: Code) => {
    const [, lang = '', rest = ''] = /^([\w+#.-]*)(.*)$/s.exec(node.lang ?? '') ?? []
    const meta = `${rest.replace(/^[:,][^\s{[]*/, '')} ${node.meta ?? ''}`.trim()
    node.lang = lang.toLowerCase() || null
    node.meta = null
    if (meta) node.data = { ...node.data, hProperties: { dataMeta: meta } }
  })
}

/** Markdown code is not part of a Vue template, unlike code in HTML. */
const keepCodeText = (tree: MdastRoot) => {
  walkTree(tree, (node) => {
    if (node.type === 'code' || node.type === 'inlineCode')
      node.data = { ...node.data, hProperties: { ...node.data?.hProperties, 'v-pre': '' } }
  })
}

/** Drops imports, exports and comments from MDX that is read as Markdown. Code stays. */
const removeModules = (source: string) =>
  mapLines(removeComments(source, 'jsx'), (line) => (/^(import\s.+from\s|export\s.)/.test(line) ? '' : line))

type Transform = (tree: Nodes) => unknown
type Extension = { transforms?: Transform[] }

/** Every literal address contains one of these. */
const candidate = /:\/\/|www\.|@/i

/** Outermost elements around text outside links that may contain a literal address. */
const listCandidates = (node: Nodes, found: Parents[] = []): Parents[] => {
  if (!('children' in node) || node.type === 'link' || node.type === 'linkReference') return found
  if (node.children.some((child) => child.type === 'text' && candidate.test(child.value))) found.push(node)
  else for (const child of node.children) listCandidates(child, found)
  return found
}

/** Runs the transforms of `remark-gfm` only on parts with a possible address: they walk a tree four times, a tenth of an export's CPU time. */
export function autolinkSparingly(this: Processor): void {
  const data = this.data() as { fromMarkdownExtensions?: (Extension | Extension[])[] }
  const sparing =
    (transform: Transform): Transform =>
    (tree) => {
      for (const parent of listCandidates(tree)) transform(parent)
    }
  data.fromMarkdownExtensions = (data.fromMarkdownExtensions ?? [])
    .flat()
    .map((extension) =>
      extension.transforms ? { ...extension, transforms: extension.transforms.map(sparing) } : extension,
    )
}
