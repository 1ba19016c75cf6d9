import type { Element, Nodes, Root } from 'hast'
import { toString } from 'hast-util-to-string'
import type { SourcePage } from '#site/source-page.ts'

export const toMarkdownFile = (path: string) => `${path}.md`

/** Copy of a page, including its title and description, which are not part of its text. */
export const formatMarkdownCopy = ({ description }: SourcePage, title: string, text: string): string =>
  `# ${title}\n\n${description ? `> ${description}\n\n` : ''}${text}`

/**
 * Markdown of a rendered page without its title, as `assets/start.js` writes it. Links lead to Markdown copies. A general converter takes
 * 11 ms per page.
 */
export const toMarkdownText = (tree: Root): string => `${removeGaps(formatBlocks(tree.children))}\n`

const blockNames = new Set(
  `p h1 h2 h3 h4 h5 h6 ul ol li div pre figure table blockquote details summary section dl dt dd hr figcaption`.split(
    ' ',
  ),
)

const removeGaps = (text: string) => text.replace(/\n{3,}/g, '\n\n').trim()

const formatBlocks = (nodes: readonly Nodes[]): string => {
  const parts: string[] = []
  let line = ''
  for (const node of nodes) {
    if (node.type === 'element' && blockNames.has(node.tagName)) {
      parts.push(line.trim(), formatBlock(node))
      line = ''
    } else line += formatInline(node)
  }
  parts.push(line.trim())
  return parts.filter((part) => part !== '').join('\n\n')
}

const formatBlock = (node: Element): string => {
  const level = /^h([1-6])$/.exec(node.tagName)?.[1]
  if (level !== undefined) return `${'#'.repeat(Number(level))} ${toOneLine(node)}`
  if (node.tagName === 'pre') return formatFence(node)
  if (node.tagName === 'ul' || node.tagName === 'ol') return formatList(node)
  if (node.tagName === 'table') return formatTable(node)
  if (node.tagName === 'blockquote') return indentText('> ', removeGaps(formatBlocks(node.children)))
  if (node.tagName === 'hr') return '---'
  return formatBlocks(node.children)
}

/** Maximum length of a part that is indented; deeply nested parts would grow with every level. Characters. */
const maxIndented = 100_000
const indentText = (prefix: string, text: string) =>
  text.length > maxIndented ? text : text.replace(/^(?=.)/gm, prefix)

const formatFence = (node: Element): string => {
  const text = toString(node).replace(/\n$/, '')
  const longest = (text.match(/`{3,}/g) ?? []).reduce((most, { length }) => Math.max(most, length), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${readLanguage(node)}\n${text}\n${fence}`
}

const readLanguage = ({ children }: Element): string => {
  const code = children.find((child) => child.type === 'element')
  const names = code?.properties['className']
  const name = Array.isArray(names) ? names.find((each) => String(each).startsWith('language-')) : undefined
  return name === undefined ? '' : String(name).slice('language-'.length)
}

const formatList = (node: Element): string => {
  const items = node.children
    .filter((child) => child.type === 'element')
    .map((item, index) => {
      const mark = node.tagName === 'ol' ? `${index + 1}. ` : '- '
      const text = removeGaps(formatBlocks(item.children))
      return mark + indentText(' '.repeat(mark.length), text).trimStart()
    })
  return items.join(items.some((item) => item.includes('\n\n')) ? '\n\n' : '\n')
}

const formatTable = (node: Element): string => {
  const rows = listRows(node).map((row) =>
    row.children
      .filter((cell) => cell.type === 'element')
      .map((cell) => toOneLine(cell).replaceAll('|', String.raw`\|`)),
  )
  const [head = [], ...body] = rows
  return [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const listRows = (node: Element): Element[] =>
  node.children.flatMap((child) =>
    child.type !== 'element'
      ? []
      : child.tagName === 'tr'
        ? [child]
        : /^t(head|body|foot)$/.test(child.tagName)
          ? listRows(child)
          : [],
  )

const toOneLine = (node: Element): string => formatInlines(node).replace(/\s+/g, ' ').trim()
const formatInlines = (node: Element): string => node.children.map(formatInline).join('')

const formatInline = (node: Nodes): string => {
  if (node.type === 'text') return node.value.replace(/\s+/g, ' ')
  if (node.type !== 'element') return ''
  const { tagName, properties } = node
  if (tagName === 'code') return `\`${toString(node)}\``
  if (tagName === 'br') return '\n'
  if (tagName === 'img') return properties['alt'] ? `![${String(properties['alt'])}](${String(properties['src'])})` : ''
  const text = formatInlines(node)
  if (tagName === 'strong' || tagName === 'b') return text.trim() && `**${text}**`
  if (tagName === 'em' || tagName === 'i') return text.trim() && `*${text}*`
  const { href } = properties
  return tagName === 'a' && typeof href === 'string' ? `[${text.trim()}](${toCopyHref(href)})` : text
}

const toCopyHref = (href: string) => href.replace(/^([^:#?]*)\.html(?=#|$)/, '$1.md')
