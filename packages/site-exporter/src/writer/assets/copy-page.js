// Copies the page as Markdown. The text comes from the page, because pages opened from a disk cannot load other files.
;(() => {
  'use strict'
  addEventListener('DOMContentLoaded', () => {
    const button = document.querySelector('[data-copy-page]')
    if (!button || !navigator.clipboard) return
    const label = button.textContent
    button.hidden = false
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(toMarkdown(document.querySelector('article')))
        button.textContent = 'Copied'
      } catch {
        button.textContent = 'Not allowed'
      }
      setTimeout(() => (button.textContent = label), 1500)
    })
  })

  const left = '.page-actions, .trail, .copy, .language, .anchor, .tab-list, .contents-above, script, svg, .sr-only'
  const toMarkdown = (article) =>
    blocks(article)
      .replace(/\n{3,}/g, '\n\n')
      .trim() + '\n'
  const isBlock = (node) =>
    /^(P|H[1-6]|UL|OL|LI|DIV|PRE|FIGURE|TABLE|BLOCKQUOTE|DETAILS|SUMMARY|SECTION|DL|DT|DD|HR|FIGCAPTION|NAV)$/.test(
      node.nodeName,
    )
  const blocks = (parent) => {
    let text = ''
    let line = ''
    for (const node of parent.childNodes) {
      if (node.nodeType === 1 && node.matches(left)) continue
      if (!isBlock(node)) line += inline(node)
      else {
        text += `${line.trim()}\n\n${block(node)}\n\n`
        line = ''
      }
    }
    return text + line.trim()
  }
  const block = (node) => {
    const { nodeName } = node
    const level = /^H([1-6])$/.exec(nodeName)?.[1]
    if (level) return `${'#'.repeat(Number(level))} ${line(node)}`
    if (nodeName === 'PRE') return fenced(node)
    if (nodeName === 'UL' || nodeName === 'OL') return list(node)
    if (nodeName === 'TABLE') return table(node)
    if (nodeName === 'BLOCKQUOTE') return blocks(node).trim().replace(/^/gm, '> ')
    if (nodeName === 'HR') return '---'
    return blocks(node)
  }
  const fenced = (node) => {
    const text = node.textContent.replace(/\n$/, '')
    const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
    const fence = '`'.repeat(longest + 1)
    return `${fence}${node.querySelector('code')?.dataset.language ?? ''}\n${text}\n${fence}`
  }
  const list = (node) =>
    [...node.children]
      .map((item, index) => {
        const mark = node.nodeName === 'OL' ? `${index + 1}. ` : '- '
        const text = blocks(item)
          .replace(/\n{3,}/g, '\n\n')
          .trim()
        return mark + text.replace(/\n(?=.)/g, `\n${' '.repeat(mark.length)}`)
      })
      .join('\n')
  const table = (node) => {
    const rows = [...node.rows].map((row) => [...row.cells].map((cell) => line(cell).replaceAll('|', '\\|')))
    const [head = [], ...body] = rows
    return [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
  }
  const line = (node) => [...node.childNodes].map(inline).join('').replace(/\s+/g, ' ').trim()
  const inline = (node) => {
    if (node.nodeType === 3) return node.data.replace(/\s+/g, ' ')
    if (node.nodeType !== 1 || node.matches(left)) return ''
    const { nodeName } = node
    const text = () => [...node.childNodes].map(inline).join('')
    if (nodeName === 'CODE') return `\`${node.textContent}\``
    if (nodeName === 'STRONG' || nodeName === 'B') return `**${text()}**`
    if (nodeName === 'EM' || nodeName === 'I') return `*${text()}*`
    if (nodeName === 'BR') return '\n'
    if (nodeName === 'IMG') return node.alt && `![${node.alt}](${node.getAttribute('src')})`
    return nodeName === 'A' && node.hasAttribute('href') ? `[${text().trim()}](${node.href})` : text()
  }
})()
