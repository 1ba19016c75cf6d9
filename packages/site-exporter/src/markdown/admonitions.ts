import { createCodeLineTest } from '#markdown/code/code-lines.ts'
import { mapNames } from '#site/data.ts'
import { formatOpeningTag } from './containers.ts'

const maxDepth = 8
/** HTML elements in a title that change only its look. Inline code is kept. */
const phrasing = /(`[^`]*`)|<\/?(?:b|code|em|i|kbd|mark|small|span|strong|sub|sup)(?:\s[^<>]*)?>/gi
const opening = /^([ \t]*)(!!!|\?\?\?\+?|===!?)[ \t]*(?:([a-z][\w-]*)(?:[ \t]+[a-z][\w-]*)*)?[ \t]*(?:"(.*)")?[ \t]*$/i

/** An unknown kind of admonition becomes the title. */
const components = mapNames({
  note: 'note seealso',
  info: 'info todo',
  tip: 'tip hint',
  check: 'success check done',
  warning: 'warning caution attention',
  danger: 'danger error failure bug',
})

/** Turns `!!! note "Title"`, `??? tip` and `=== "Tab"` with indented content into elements. Skips code blocks. */
export const openAdmonitions = (markdown: string): string =>
  /^[ \t]*(?:!!!|\?\?\?|===)/m.test(markdown) ? convertLines(markdown.split('\n'), 0).join('\n') : markdown

export const findAdmonitionElement = (kind: string, title: string): { element: string; kind: string } => {
  const name = kind.toLowerCase()
  const known = components.get(name)
  if (name === 'details') return { element: 'accordion', kind: '' }
  return { element: known ?? 'note', kind: title || known !== undefined ? '' : kind }
}

const convertLines = (lines: readonly string[], depth: number): string[] => {
  const isCode = createCodeLineTest()
  const out: string[] = []
  let tabs: string | null = null
  const endTabs = () => {
    if (tabs !== null) out.push('', `${tabs}</tabs>`, '')
    tabs = null
  }
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!
    const found = isCode(line) || depth >= maxDepth ? null : opening.exec(line)
    const [, indent = '', mark = '', kind = '', quoted] = found ?? []
    const title = quoted?.replace(phrasing, '$1')
    const end = found ? findEnd(lines, at + 1, indent) : at
    const isTab = mark.startsWith('===')
    if (!found || end === at + 1 || (isTab ? kind !== '' || !title : kind === '')) {
      if (line.trim() !== '') endTabs()
      out.push(line)
      continue
    }
    if (tabs !== null && (!isTab || tabs !== indent)) endTabs()
    if (isTab && tabs === null) out.push('', `${indent}<tabs>`)
    tabs = isTab ? indent : null
    const known = components.get(kind.toLowerCase())
    const element = isTab ? 'tab' : mark.startsWith('?') ? 'accordion' : (known ?? 'note')
    const isNamed = !!title || isTab || (known !== undefined && element !== 'accordion')
    const inner = lines.slice(at + 1, end).map((text) => text.slice(indent.length).replace(/^(?: {4}|\t)/, ''))
    out.push('', indent + formatOpeningTag(element, title ?? '', { kind: isNamed ? '' : kind }), '')
    out.push(...convertLines(inner, depth + 1).map((text) => (text === '' ? '' : indent + text)))
    out.push('', `${indent}</${element}>`, '')
    at = end - 1
  }
  endTabs()
  return out
}

const findEnd = (lines: readonly string[], from: number, indent: string) => {
  let end = from
  for (let at = from; at < lines.length; at++) {
    const line = lines[at]!
    if (line.startsWith(`${indent}    `) || line.startsWith(`${indent}\t`)) end = at + (line.trim() === '' ? 0 : 1)
    else if (line.trim() !== '') break
  }
  return Math.max(end, from)
}
