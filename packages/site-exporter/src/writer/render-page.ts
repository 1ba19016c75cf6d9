import type { Element, ElementContent, Root } from 'hast'
import { toString } from 'hast-util-to-string'
import { h } from 'hastscript'
import rehypeStringify from 'rehype-stringify'
import { unified } from 'unified'
import { SKIP, visit } from 'unist-util-visit'
import { onlyAllowed } from '#markdown/allow-list.ts'
import { componentNames, renderComponents } from '#markdown/components.ts'
import { listContents } from '#markdown/contents-list.ts'
import { listDefinitions } from '#markdown/definitions.ts'
import { outline, type Heading } from '#markdown/headings.ts'
import { highlightCode } from '#markdown/code/highlight.ts'
import { replaceInterpolations } from '#markdown/mdx/interpolations.ts'
import { findExcess } from '#markdown/limits/page-cost.ts'
import type { Note } from '#markdown/page-notes.ts'
import { parseHtml, parsePage } from '#markdown/parse-page.ts'
import type { Dialect } from '#markdown/slugs.ts'
import { withinTime } from '#markdown/limits/within-time.ts'
import { renderEndpoint, operationTree } from '#openapi/page/operation-tree.ts'
import type { ApiOperation } from '#openapi/reading/api-document.ts'
import { limits } from '#site/limits.ts'
import { isMirrored } from '#site/page-paths.ts'
import type { SourcePage } from '#site/source-page.ts'
import type { Addresses } from './addresses.ts'
import type { AnchorUse } from './fragments.ts'
import type { Media } from './media.ts'
import { listUpdates, type UpdateEntry } from '#writer/copies/feeds.ts'
import { toMarkdownText } from '#writer/copies/markdown-copy.ts'
import { resolveLinks } from './resolve-links.ts'

/** Rendered page. */
export type RenderedPage = {
  title: string
  titleId: string | null
  html: string
  headings: Heading[]
  ids: ReadonlySet<string>
  anchors: AnchorUse[]
  /** Plain text for the search. */
  text: string
  /** For the Markdown copy. */
  markdown: string
  updates: UpdateEntry[]
}

/** Dependencies of rendering. */
export type RenderTools = {
  addresses: Addresses
  media: Media
  note: Note
  dialect: Dialect
  operation: ApiOperation | undefined
}

const toHtml = unified()
  .use(rehypeStringify, { characterReferences: { useNamedReferences: false } })
  .freeze()

/** Renders a page: parse, sanitise, render components, resolve links. An unparsable page becomes plain text. */
export const renderPage = async (page: SourcePage, body: string, deps: RenderTools): Promise<RenderedPage> => {
  const { note } = deps
  try {
    return await render(page, () => parsed(page, body, deps), deps)
  } catch (error) {
    note(
      'not-understood',
      `shown as plain text: ${error instanceof Error ? error.message.split('\n')[0]! : 'unknown reason'}`,
    )
    const called: ElementContent[] = deps.operation ? [renderEndpoint(deps.operation)] : []
    const text: ElementContent = {
      type: 'element',
      tagName: 'pre',
      properties: {},
      children: [{ type: 'text', value: body }],
    }
    return render(page, () => ({ type: 'root', children: [...called, text] }), deps)
  }
}

const parsed = (page: SourcePage, body: string, { note, operation, dialect }: RenderTools): Root => {
  const tooMuch = isMirrored(page.file) ? null : findExcess(body)
  if (tooMuch !== null) throw new Error(tooMuch)
  const source = isMirrored(page.file) ? parseHtml(body) : parsePage(body, isMdx(page.file, body, dialect), note)
  if (!isMirrored(page.file)) listDefinitions(source)
  if (dialect === 'vitepress') replaceInterpolations(source, page.title, note)
  const tree = renderComponents(onlyAllowed(source, note))
  if (operation) {
    const { above, below } = operationTree(operation, note)
    tree.children = [...above, ...tree.children, ...below]
  }
  if (measureDepth(tree) > limits.nesting) throw new Error(`its elements are nested more than ${limits.nesting} deep`)
  return tree
}

/** Many sites write components into `.md` files. */
const isMdx = (file: string, body: string, dialect: Dialect) =>
  dialect !== 'vitepress' && (/\.mdx$/i.test(file) || componentLine.test(body.replace(codeBlock, '')))
const codeBlock = /^[ \t]*(```+|~~~+)[\s\S]*?^[ \t]*\1/gm
const componentLine = new RegExp(`^[ \\t]*<(?:${componentNames.join('|')})[\\s>/]`, 'im')

const render = async (page: SourcePage, parse: () => Root, deps: RenderTools): Promise<RenderedPage> => {
  const rules = { style: deps.dialect, title: page.title, isTitleFixed: page.isTitleFixed }
  // One call for all of them, because each time limit costs a thread.
  const { tree, title, titleId, headings, ids } = withinTime(() => {
    const tree = parse()
    finish(tree)
    const outlined = outline(tree, rules)
    listContents(tree, outlined.headings)
    return { tree, ...outlined }
  })
  const anchors = await resolveLinks(tree, page, deps)
  const text = toString(tree)
  const copies = { markdown: toMarkdownText(tree), updates: page.brand.isFeed ? listUpdates(tree) : [] }
  await highlightCode(tree)
  return { title: title ?? page.title, titleId, html: toHtml.stringify(tree), headings, ids, anchors, text, ...copies }
}

const measureDepth = (tree: Root) => {
  let level: readonly unknown[] = [tree]
  let depth = 0
  for (; level.length > 0 && depth <= limits.nesting; depth++)
    level = level.flatMap((node) => (node as Root).children ?? [])
  return depth
}

const alerts: Readonly<Record<string, string>> = {
  NOTE: 'note',
  TIP: 'tip',
  IMPORTANT: 'note',
  WARNING: 'warning',
  CAUTION: 'danger',
}

/** Wraps tables, replaces check boxes by signs, and turns `> [!NOTE]` into callouts. */
const finish = (tree: Root): void => {
  visit(tree, 'element', (node, index, parent) => {
    if (node.tagName === 'blockquote') asCallout(node)
    const theme = node.properties['dataTheme']
    if (theme !== undefined) {
      delete node.properties['dataTheme']
      node.properties['className'] = [`on-${String(theme)}`]
    }
    if (node.tagName === 'input') {
      const done = node.properties['checked'] === true || node.properties['checked'] === ''
      Object.assign(
        node,
        h('span', { className: ['check'], role: 'img', ariaLabel: done ? 'done' : 'open' }, done ? '☑' : '☐'),
      )
    }
    if (node.tagName === 'table' && parent && index !== undefined) {
      parent.children[index] = h('div', { className: ['table'], tabIndex: 0 }, [node])
      return [SKIP, index + 1]
    }
    return undefined
  })
}

const asCallout = (node: Element) => {
  const paragraph = node.children.find((child) => child.type === 'element')
  const text = paragraph?.children[0]
  if (text?.type !== 'text') return
  const match = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*/i.exec(text.value)
  if (!match) return
  text.value = text.value.slice(match[0].length)
  const word = match[1]!.toUpperCase()
  const title = h('p', { className: ['callout-title'] }, word[0]! + word.slice(1).toLowerCase())
  Object.assign(node, h('div', { className: ['callout', alerts[word]!], role: 'note' }, [title, ...node.children]))
}
