const fence = /^\s*(`{3,}|~{3,})/
const opening = /^(\s*):{3,}\s*([a-z][a-z-]*)\b(?:\[([^\]\n]*)\])?[ \t]*(.*)$/i
const closing = /^(\s*):{3,}\s*$/
const tabTitle = /^(\s*)==[ \t]+(\S.*)$/

/** Container names of common documentation tools, and the component each stands for. */
const components: Readonly<Record<string, string>> = {
  tip: 'tip',
  success: 'check',
  info: 'info',
  note: 'note',
  important: 'note',
  warning: 'warning',
  caution: 'warning',
  danger: 'danger',
  details: 'accordion',
  'code-group': 'codegroup',
  tabs: 'tabs',
}

/** Turns `::: tip Title` … `:::` blocks into elements, so that they need no parser of their own. Code blocks are left alone. */
export const openContainers = (markdown: string): string => {
  if (!markdown.includes(':::')) return markdown
  let inCode: string | null = null
  const open: { element: string; hasTab: boolean }[] = []
  const lines = markdown.split('\n').map((line) => {
    const mark = fence.exec(line)?.[1]
    if (mark && inCode === null) inCode = mark
    else if (mark && mark.startsWith(inCode!) && line.trim() === mark) inCode = null
    if (inCode !== null || mark) return line
    const start = opening.exec(line)
    if (start) {
      const [, indent = '', name = '', bracketed, rest = ''] = start
      // A title may have attributes behind it, `{open}`.
      const title = bracketed ?? rest.replace(/\s*\{[^{}]*\}\s*$/, '')
      const element = Object.hasOwn(components, name.toLowerCase()) ? components[name.toLowerCase()]! : 'div'
      open.push({ element, hasTab: false })
      return `\n${indent}${tagOf(element, element === 'div' ? '' : title)}\n`
    }
    const [, indent = '', title = ''] = tabTitle.exec(line) ?? []
    const inner = open.at(-1)
    if (title && inner?.element === 'tabs') {
      const end = inner.hasTab ? `\n\n${indent}</tab>` : ''
      inner.hasTab = true
      return `${end}\n\n${indent}${tagOf('tab', title)}\n`
    }
    return closing.test(line) ? (endOf(open.pop(), closing.exec(line)![1]!) ?? line) : line
  })
  return lines.join('\n') + open.map((container) => `\n${endOf(container, '')}`).join('')
}

const endOf = (container: { element: string; hasTab: boolean } | undefined, indent: string) =>
  container && `${container.hasTab ? `\n${indent}</tab>\n` : ''}\n${indent}</${container.element}>\n`

const tagOf = (element: string, title: string) => {
  const text = title.replace(/[`*]/g, '').trim()
  const value = text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  return value ? `<${element} title="${value}">` : `<${element}>`
}
