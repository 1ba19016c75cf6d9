const fence = /^\s*(`{3,}|~{3,})/
const opening = /^(\s*):{3,}\s*([a-z][a-z-]*)\b[ \t]*(.*)$/i
const closing = /^(\s*):{3,}\s*$/

/** Container names of common documentation tools, and the component each stands for. */
const components: Readonly<Record<string, string>> = {
  tip: 'tip',
  info: 'info',
  note: 'note',
  important: 'note',
  warning: 'warning',
  caution: 'warning',
  danger: 'danger',
  details: 'accordion',
  'code-group': 'codegroup',
}

/** Turns `::: tip Title` … `:::` blocks into elements, so that they need no parser of their own. Code blocks are left alone. */
export const openContainers = (markdown: string): string => {
  if (!markdown.includes(':::')) return markdown
  let inCode: string | null = null
  const open: string[] = []
  const lines = markdown.split('\n').map((line) => {
    const mark = fence.exec(line)?.[1]
    if (mark && inCode === null) inCode = mark
    else if (mark && mark.startsWith(inCode!) && line.trim() === mark) inCode = null
    if (inCode !== null || mark) return line
    const start = opening.exec(line)
    if (start) {
      const [, indent = '', name = '', title = ''] = start
      const element = components[name.toLowerCase()] ?? 'div'
      open.push(element)
      return `\n${indent}<${element} title="${title.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')}">\n`
    }
    const element = closing.test(line) ? open.pop() : undefined
    return element ? `\n${closing.exec(line)![1]}</${element}>\n` : line
  })
  return lines.join('\n') + open.map((element) => `\n\n</${element}>`).join('')
}
