const blockNames =
  /^(?:p|h[1-6]|ul|ol|li|div|pre|figure|table|blockquote|details|summary|section|dl|dt|dd|hr|figcaption|nav|template)$/
/** Maximum length of a part that is indented; deeply nested parts would grow with every level. Characters. */
const maxIndented = 100_000

/** Markdown of the content of a page, which is a tree at export and elements in a browser. A general converter takes 11 ms per page. */
export const formatMarkdown = (nodes, toHref) => {
  const toText = ({ type, value, children = [] }) => (type === 'text' ? value : children.map(toText).join(''))
  const removeGaps = (text) => text.replace(/\n{3,}/g, '\n\n').trim()
  const formatBlocks = (parts) => {
    const texts = []
    let line = ''
    for (const node of parts) {
      if (node.type === 'element' && blockNames.test(node.tagName)) {
        texts.push(line.trim(), formatBlock(node))
        line = ''
      } else line += formatInline(node)
    }
    texts.push(line.trim())
    return texts.filter((part) => part !== '').join('\n\n')
  }
  const formatBlock = (node) => {
    const { tagName, children } = node
    const level = /^h([1-6])$/.exec(tagName)?.[1]
    if (level !== undefined) return `${'#'.repeat(Number(level))} ${toOneLine(node)}`
    if (tagName === 'pre') return formatFence(node)
    if (tagName === 'ul' || tagName === 'ol') return formatList(node)
    if (tagName === 'table') return formatTable(node)
    if (tagName === 'blockquote') return indentText('> ', removeGaps(formatBlocks(children)))
    return tagName === 'hr' ? '---' : formatBlocks(children)
  }
  const indentText = (prefix, text) => (text.length > maxIndented ? text : text.replace(/^(?=.)/gm, prefix))
  const formatFence = (node) => {
    const text = toText(node).replace(/\n$/, '')
    const longest = (text.match(/`{3,}/g) ?? []).reduce((most, { length }) => Math.max(most, length), 2)
    const fence = '`'.repeat(longest + 1)
    return `${fence}${readLanguage(node)}\n${text}\n${fence}`
  }
  const readLanguage = ({ children }) => {
    const names = children.find(({ type }) => type === 'element')?.properties.className
    const name = Array.isArray(names) ? names.find((each) => String(each).startsWith('language-')) : undefined
    return name === undefined ? '' : String(name).slice('language-'.length)
  }
  const formatList = ({ tagName, children }) => {
    const items = children
      .filter(({ type }) => type === 'element')
      .map((item, index) => {
        const mark = tagName === 'ol' ? `${index + 1}. ` : '- '
        const text = removeGaps(formatBlocks(item.children))
        return mark + indentText(' '.repeat(mark.length), text).trimStart()
      })
    return items.join(items.some((item) => item.includes('\n\n')) ? '\n\n' : '\n')
  }
  const formatTable = (node) => {
    const rows = listRows(node).map(({ children }) =>
      children.filter(({ type }) => type === 'element').map((cell) => toOneLine(cell).replaceAll('|', String.raw`\|`)),
    )
    const [head = [], ...body] = rows
    return [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
  }
  const listRows = ({ children }) =>
    children.flatMap((child) => {
      if (child.type !== 'element') return []
      return child.tagName === 'tr' ? [child] : /^t(head|body|foot)$/.test(child.tagName) ? listRows(child) : []
    })
  const toOneLine = (node) => formatInlines(node).replace(/\s+/g, ' ').trim()
  const formatInlines = ({ children }) => children.map(formatInline).join('')
  const formatInline = (node) => {
    if (node.type === 'text') return node.value.replace(/\s+/g, ' ')
    if (node.type !== 'element') return ''
    const { tagName, properties } = node
    if (tagName === 'code') return `\`${toText(node)}\``
    if (tagName === 'br') return '\n'
    if (tagName === 'img') return properties.alt ? `![${properties.alt}](${properties.src})` : ''
    const text = formatInlines(node)
    if (tagName === 'strong' || tagName === 'b') return text.trim() && `**${text}**`
    if (tagName === 'em' || tagName === 'i') return text.trim() && `*${text}*`
    const { href } = properties
    return tagName === 'a' && typeof href === 'string' ? `[${text.trim()}](${toHref(href)})` : text
  }
  return `${removeGaps(formatBlocks(nodes))}\n`
}
