import type { ElementContent, Properties } from 'hast'
import { toString } from 'hast-util-to-string'
import type { Fields, Value } from '@docket/mdx-language/values'
import { isCallable, isFields, isList, isMarkup, isPrimitive, isUnknown } from '@docket/mdx-language/values'
import type { Host } from '@docket/mdx-language/run'
import type { Note } from '#markdown/page-notes.ts'

const renamed: Readonly<Record<string, string>> = {
  classname: 'className',
  class: 'className',
  htmlfor: 'htmlFor',
  colspan: 'colSpan',
  rowspan: 'rowSpan',
}
/** Attributes that say nothing outside React. */
const silent = /^(key|ref)$/

/** Expression or element that is being evaluated, for the report. */
export type Place = { source: string | null }

/** Makes elements of what MDX evaluates to. Everything left out gets a remark. */
export const mdxHost = (note: Note, place: Place): Host => ({
  element: (name, props, children) => [
    { type: 'element', tagName: name, properties: readProperties(name, props, note), children },
  ],
  hole: (reason) => {
    if (reason !== '') note('left-out', describe(reason, place))
    return [{ type: 'element', tagName: 'not-here-inline', properties: {}, children: [] }]
  },
})

const describe = (reason: string, { source }: Place) =>
  /a cycle: /.test(reason) || (source !== null && reason.startsWith(source))
    ? reason
    : `${source ?? 'an expression'}: ${reason}`

const readProperties = (element: string, props: Fields, note: Note): Properties => {
  const properties: Properties = {}
  for (const [name, value] of props) {
    if (value === undefined || value === null || silent.test(name)) continue
    const key = renamed[name.toLowerCase()] ?? name.toLowerCase()
    const readable = readValue(key, value)
    if (readable !== null) properties[key] = readable
    else if (name === '') note('left-out', 'a spread of attributes')
    else note('left-out', `an attribute: ${name} of <${element}>${isUnknown(value) ? ` (${value.reason})` : ''}`)
  }
  return properties
}

/** Value of an attribute as text; null for what has none. */
const readValue = (key: string, value: Value): string | number | boolean | null => {
  if (isPrimitive(value)) return value ?? null
  if (isUnknown(value) || isCallable(value)) return null
  if (isMarkup(value)) return readText(value.nodes)
  if (isList(value)) {
    const texts = value.map((item) => (isMarkup(item) ? readText(item.nodes) : isPrimitive(item) ? (item ?? '') : null))
    return texts.includes(null) ? null : texts.filter((text) => text !== '').join(key === 'className' ? ' ' : ', ')
  }
  return key === 'style' ? readStyle(value) : null
}

const readText = (nodes: readonly ElementContent[]) => toString({ type: 'root', children: [...nodes] }).trim() || null

/** `{ marginTop: 4 }` → `margin-top:4px`. */
const readStyle = (style: Value): string | null => {
  if (!isFields(style)) return null
  const lines = [...style].flatMap(([name, value]) =>
    (typeof value === 'string' || typeof value === 'number') && /^[a-zA-Z]+$/.test(name)
      ? [`${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}:${toLength(name, value)}`]
      : [],
  )
  return lines.length === style.size ? lines.join(';') : null
}

const unitless = /^(opacity|zIndex|flex|flexGrow|flexShrink|order|fontWeight|lineHeight|zoom)$/
const toLength = (name: string, value: string | number) =>
  typeof value === 'number' && value !== 0 && !unitless.test(name) ? `${value}px` : String(value)
