import { mapLines } from '#markdown/map-lines.ts'
import { escapeAttribute, mapNames } from '#site/data.ts'

const opening = /^(\s*)(:{3,})\s*([a-z][a-z-]*)\b(?:\[([^\]\n]*)\])?[ \t]*(.*)$/i
const closing = /^\s*(:{3,})\s*$/
const tabTitle = /^(\s*)==[ \t]+(\S.*)$/

/** An unknown container with a title becomes a note. */
const components = mapNames({
  tip: 'tip',
  check: 'success',
  info: 'info',
  note: 'note important',
  warning: 'warning caution',
  danger: 'danger',
  accordion: 'details',
  codegroup: 'code-group',
  tabs: 'tabs',
  div: 'raw v-pre',
})

type Container = { element: string; colons: number; indent: string; hasTab: boolean }

/** Turns `::: tip Title` … `:::` into elements. A closing line ends the outermost block with at most as many colons, as common tools do. */
export const openContainers = (markdown: string): string => {
  if (!markdown.includes(':::')) return markdown
  const open: Container[] = []
  const text = mapLines(markdown, (line) => {
    const start = opening.exec(line)
    if (start) {
      const [, indent = '', colons = '', name = '', bracketed, rest = ''] = start
      // Attributes such as `{open}` may follow a title.
      const [attributes = ''] = /\{[^{}]*\}\s*$/.exec(rest) ?? []
      const title = bracketed ?? rest.slice(0, rest.length - attributes.length)
      const id = /[{\s]#([\w-]+)/.exec(attributes)?.[1] ?? ''
      const isOpen = name.toLowerCase() === 'details' && /[{\s]open\b/.test(attributes)
      const known = components.get(name.toLowerCase())
      // `::: package.Class {options}` has no title.
      const element = known ?? (/^[\p{L}\p{N}]/u.test(title) ? 'note' : 'div')
      open.push({ element, colons: colons.length, indent, hasTab: false })
      const tag = name === 'v-pre' ? '<div v-pre>' : formatOpeningTag(element, element === 'div' ? '' : title, { id })
      return `\n${indent}${isOpen ? tag.replace(/>$/, ' open="true">') : tag}\n`
    }
    const [, indent = '', title = ''] = tabTitle.exec(line) ?? []
    const inner = open.at(-1)
    if (title && inner?.element === 'tabs') {
      const end = inner.hasTab ? `\n\n${indent}</tab>` : ''
      inner.hasTab = true
      return `${end}\n\n${indent}${formatOpeningTag('tab', title)}\n`
    }
    const end = closing.exec(line)?.[1]?.length
    if (end === undefined) return line
    const ended = open.findIndex(({ colons }) => colons <= end)
    return ended < 0 ? '' : closeContainers(open.splice(ended))
  })
  return text + closeContainers(open)
}

const closeContainers = (containers: readonly Container[]) =>
  containers
    .toReversed()
    .map(({ element, indent, hasTab }) => `${hasTab ? `\n${indent}</tab>\n` : ''}\n${indent}</${element}>\n`)
    .join('')

export const formatOpeningTag = (element: string, title: string, { id = '', kind = '' } = {}) => {
  // The link definitions of the page do not apply in a title.
  const text = title
    .replace(/\[([^\][]*)\]\[[^\][]*\]/g, '$1')
    .replace(/[`*]/g, '')
    .trim()
  const value = escapeAttribute(text)
  return `<${element}${value && ` title="${value}"`}${id && ` id="${id}"`}${kind && ` kind="${kind}"`}>`
}
