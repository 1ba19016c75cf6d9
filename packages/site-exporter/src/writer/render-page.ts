import type { Element, ElementContent, Root } from 'hast'
import { h } from 'hastscript'
import rehypeStringify from 'rehype-stringify'
import { unified } from 'unified'
import { SKIP, walkTree } from '#markdown/walk-tree.ts'
import { removeUnlisted } from '#markdown/allow-list.ts'
import { readClasses } from '#markdown/components/utilities.ts'
import { renderComponents } from '#markdown/components/components.ts'
import { hasComponentLine } from '#markdown/components/names.ts'
import { listContents, outlinePage, type Heading } from '#markdown/headings.ts'
import { listDefinitions } from '#markdown/definitions.ts'
import { markDiagrams } from '#markdown/diagrams.ts'
import { drawFormulas } from '#markdown/formulas/draw-formulas.ts'
import type { FormulaRule } from '#markdown/formulas/formula-syntax.ts'
import { drawIcons } from '#markdown/icons/draw-icons.ts'
import type { IconLibrary } from '#markdown/icons/find-icon.ts'
import { highlightCode, type Colors } from '#markdown/code/highlight.ts'
import { renderVueNodes } from '#markdown/sfc/vue-page.ts'
import { tabPackageManagers } from '#markdown/components/package-managers.ts'
import { applyInlineAttributes } from '#markdown/mkdocs/attribute-lists.ts'
import { finishMkdocs } from '#markdown/mkdocs/finish-tree.ts'
import type { PagePieces } from '#markdown/mdx/page-pieces.ts'
import type { Note } from '#markdown/page-notes.ts'
import { findTimeLimit, parseParts } from '#markdown/parse-parts.ts'
import type { Dialect } from '#markdown/slugs.ts'
import { runWithinTime } from '@docket/sources/within-time'
import { renderEndpoint, renderOperation, renderSchemaPage } from '#openapi/page/operation-tree.ts'
import type { ApiOperation } from '#openapi/reading/api-document.ts'
import type { ApiSchema } from '#openapi/reading/api-documents.ts'
import { limits } from '#site/limits.ts'
import { fillWording, type Words } from '#site/words.ts'
import type { SourcePage } from '#site/source-page.ts'
import type { Addresses } from './addresses.ts'
import type { AnchorUse } from './fragments.ts'
import type { Media } from './media.ts'
import { listUpdates, type UpdateEntry } from '#writer/copies/feeds.ts'
import { toMarkdownText } from '#writer/copies/markdown-copy.ts'
import { resolveLinks } from './resolve-links.ts'
import { readSections, type SearchSection } from './search/page-text.ts'

export type RenderedPage = {
  title: string
  titleId: string | null
  html: string
  headings: Heading[]
  ids: ReadonlySet<string>
  anchors: AnchorUse[]
  sections: SearchSection[]
  markdown: string
  updates: UpdateEntry[]
}

/** Dependencies of rendering. The cache repeats calls of its functions, so calling one twice must have the same effect as once. */
export type RenderTools = {
  addresses: Addresses
  media: Media
  note: Note
  dialect: Dialect
  formulas: FormulaRule
  icons: IconLibrary
  operation: ApiOperation | undefined
  /** Known colours; holds those of the page afterwards. Affects nothing but time. */
  colors: Colors
  schema: ApiSchema | undefined
  pieces: PagePieces
  words: Words
}

const toHtml = unified()
  .use(rehypeStringify, { characterReferences: { useNamedReferences: false }, allowDangerousHtml: true })
  .freeze()

/** Renders a page: parse, sanitise, render components, resolve links. A page that does not parse is shown as plain text. */
export const renderPage = async (page: SourcePage, body: string, deps: RenderTools): Promise<RenderedPage> => {
  const { note } = deps
  try {
    return await renderTree(page, () => parseBody(page, body, deps), deps, findTimeLimit(body))
  } catch (error) {
    note(
      'not-understood',
      `shown as plain text: ${error instanceof Error ? error.message.split('\n')[0]! : 'unknown reason'}`,
    )
    const called: ElementContent[] = deps.operation ? [renderEndpoint(deps.operation, deps.words)] : []
    return renderTree(page, () => ({ type: 'root', children: [...called, h('pre', body)] }), deps)
  }
}

const parseBody = (page: SourcePage, body: string, tools: RenderTools): Root => {
  const { note, operation, schema, dialect, formulas, pieces, words } = tools
  const source = parseParts(body, { isMdx: isMdx(page.file, body, dialect), formulas, pieces }, note)
  listDefinitions(source)
  if (dialect === 'mkdocs') finishMkdocs(source, note)
  if (dialect === 'vitepress') applyInlineAttributes(source)
  if (dialect === 'book') openWarnings(source)
  if (dialect === 'docusaurus') tabPackageManagers(source)
  if (dialect === 'vitepress') renderVueNodes(source, page.title, pieces, note)
  const tree = renderComponents(removeUnlisted(source, note), note, words)
  if (operation) {
    const { above, below } = renderOperation(operation, note, words)
    tree.children = [...above, ...tree.children, ...below]
  }
  if (schema) tree.children.push(...renderSchemaPage(schema, note, words))
  if (measureDepth(tree) > limits.nesting) throw new Error(`its elements are nested more than ${limits.nesting} deep`)
  return tree
}

/** Books write warnings as `<div class="warning">`. */
const openWarnings = (tree: Root) =>
  walkTree(tree, 'element', (node) => {
    if (node.tagName === 'div' && readClasses(node).includes('warning'))
      Object.assign(node, { tagName: 'Warning', properties: {} })
  })

/** True for MDX. Many sites use components in `.md` files. */
const isMdx = (file: string, body: string, dialect: Dialect) =>
  dialect === 'docusaurus' ||
  (!plainDialects.has(dialect) && (/\.mdx$/i.test(file) || hasComponentLine(body.replace(codeBlock, ''))))
/** Tools whose pages are always Markdown. */
const plainDialects: ReadonlySet<Dialect> = new Set(['vitepress', 'mkdocs', 'book'])
const codeBlock = /^[ \t]*(```+|~~~+)[\s\S]*?^[ \t]*\1/gm

const renderTree = async (
  page: SourcePage,
  parse: () => Root,
  deps: RenderTools,
  timeMs?: number,
): Promise<RenderedPage> => {
  const rules = { style: deps.dialect, title: page.title, isTitleFixed: page.isTitleFixed }
  // One call for all steps, because each time limit costs a thread.
  const { tree, title, titleId, headings, ids } = runWithinTime(() => {
    const tree = parse()
    finishTree(tree, deps.words)
    const outlined = outlinePage(tree, rules)
    listContents(tree, outlined.headings)
    markDiagrams(tree, deps.note, deps.words)
    drawFormulas(tree, deps.note)
    drawIcons(tree, deps.icons, deps.note)
    return { tree, ...outlined }
  }, timeMs)
  const anchors = await resolveLinks(tree, page, deps)
  const sections = readSections(tree)
  const copies = { markdown: toMarkdownText(tree), updates: page.brand.isFeed ? listUpdates(tree) : [] }
  await highlightCode(tree, deps.colors, deps.note, deps.words)
  const html = toHtml.stringify(tree)
  return { title: title ?? page.title, titleId, html, headings, ids, anchors, sections, ...copies }
}

const measureDepth = (tree: Root) => {
  let level: readonly unknown[] = [tree]
  let depth = 0
  for (; level.length > 0 && depth <= limits.nesting; depth++)
    level = level.flatMap((node) => (node as Root).children ?? [])
  return depth
}

const alerts = { note: 'note', tip: 'tip', important: 'note', warning: 'warning', caution: 'danger' } as const

/** Wraps tables, replaces check boxes by symbols, turns `> [!NOTE]` into callouts, and names footnotes. */
const finishTree = (tree: Root, words: Words): void => {
  const { content } = words
  walkTree(tree, 'element', (node, index, parent) => {
    if (node.tagName === 'blockquote') toCallout(node, words)
    if (node.tagName === 'h2' && String(node.properties['id']).endsWith('footnote-label'))
      node.children = [{ type: 'text', value: content.footnotes }]
    if ('dataFootnoteBackref' in node.properties) {
      const number = String(node.properties['ariaLabel']).replace(/^\D+/, '')
      node.properties['ariaLabel'] = fillWording(words, content.backToReference, { number })
    }
    if (node.tagName === 'input') {
      const done = node.properties['checked'] === true || node.properties['checked'] === ''
      Object.assign(
        node,
        h(
          'span',
          { className: ['check'], role: 'img', ariaLabel: done ? content.done : content.open },
          done ? '☑' : '☐',
        ),
      )
    }
    if (node.tagName === 'table' && parent && index !== undefined) {
      parent.children[index] = h('div', { className: ['table'], tabIndex: 0 }, [node])
      return [SKIP, index + 1]
    }
    return undefined
  })
}

const toCallout = (node: Element, { callouts }: Words) => {
  const paragraph = node.children.find((child) => child.type === 'element')
  const text = paragraph?.children[0]
  if (text?.type !== 'text') return
  const match = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*/i.exec(text.value)
  if (!match) return
  text.value = text.value.slice(match[0].length)
  const kind = match[1]!.toLowerCase() as keyof typeof alerts
  const title = h('p', { className: ['callout-title'] }, callouts[kind])
  Object.assign(node, h('div', { className: ['callout', alerts[kind]], role: 'note' }, [title, ...node.children]))
}
