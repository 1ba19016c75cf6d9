import type { ElementContent, Properties } from 'hast'
import { toString } from 'hast-util-to-string'
import type { Fields, Value } from '@docket/mdx-language/values'
import { isCallable, isFields, isList, isMarkup, isPrimitive, isUnknown } from '@docket/mdx-language/values'
import type { Host } from '@docket/mdx-language/run'
import { isSlotOfAttribute } from '#markdown/components/slots.ts'
import { isCapitalised } from '#markdown/components/names.ts'
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

/** Elements of a value, or null where the budget does not suffice. */
type ToNodes = (value: Value) => ElementContent[] | null

/** Makes elements of what MDX evaluates to. Everything left out gets a remark. */
export const mdxHost = (note: Note, place: Place, toNodes: ToNodes): Host => ({
  element: (name, props, children) => {
    const texts = new Map(props)
    const slots = [...props].flatMap(([key, value]): ElementContent[] => {
      const isSlot = isCapitalised(name) && isSlotOfAttribute(key.toLowerCase()) && hasElements(value)
      const nodes = isSlot ? toNodes(value) : null
      if (nodes === null) return []
      texts.delete(key)
      return [{ type: 'element', tagName: 'Fragment', properties: { slot: key.toLowerCase() }, children: nodes }]
    })
    const properties = readProperties(name, texts, note)
    return [{ type: 'element', tagName: name, properties, children: [...slots, ...children] }]
  },
  hole: (reason) => {
    if (reason !== '') note('left-out', describe(reason, place))
    return [{ type: 'element', tagName: 'not-here-inline', properties: {}, children: [] }]
  },
})

const hasElements = (value: Value): boolean =>
  isList(value) ? value.some(hasElements) : isMarkup(value) && value.nodes.some(({ type }) => type === 'element')

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
  return key === 'style' ? readStyle(value) : readFields(value)
}

/** `{ light: '#fff', dark: '#000' }` → `light: #fff, dark: #000`. */
const readFields = (fields: Value): string | null => {
  if (!isFields(fields) || fields.size === 0) return null
  const parts = [...fields].map(([name, value]) => (isPrimitive(value) ? `${name}: ${value}` : null))
  return parts.includes(null) ? null : parts.join(', ')
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
