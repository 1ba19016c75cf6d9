import type { ElementContent, Properties, Root } from 'hast'
import { toString } from 'hast-util-to-string'
import {
  type Fields,
  type Value,
  isCallable,
  isFields,
  isList,
  isMarkup,
  isPrimitive,
  isUnknown,
} from '@docket/mdx-language/values'
import { toNodes, runWithinBudget, type Host, type Run } from '@docket/mdx-language/run'
import { createRun } from '@docket/mdx-language/evaluate'
import { isTrue } from '@docket/mdx-language/operators'
import { createScope, type Scope } from '@docket/mdx-language/scope'
import { createBudget, chargeSize, type Budget } from '@docket/mdx-language/budget'
import { parseHtml } from '#markdown/parse-html.ts'
import { isSlotOfAttribute, wrapInLink } from '#markdown/components/component.ts'
import { findComponent, isCapitalised } from '#markdown/components/names.ts'
import { createOnceNote, type Note } from '#markdown/page-notes.ts'
import { isWord, mapNames } from '#site/data.ts'
import { isHtmlElement } from './raw-tags.ts'
import { h } from 'hastscript'
import { addressNames, literalNames } from '#markdown/components/unknown.ts'
import { walkTree } from '#markdown/walk-tree.ts'

const renamed = mapNames({
  className: 'classname class class:list',
  htmlFor: 'htmlfor',
  colSpan: 'colspan',
  rowSpan: 'rowspan',
})
const silent = /^(key|ref)$/

/** The evaluated code, for the report. `source`: the expression or element. */
export type Place = {
  source: string | null
  /** Component from another file that is being evaluated. Its unknown values are not part of the page's own text. */
  component: string | null
}

/** Astro directives that have no effect without its scripts. */
const directives = /^(client|define|is|server|transition):/

const isOwnComponent = (name: string) => !isHtmlElement(name) && findComponent(name) === null && name !== 'Fragment'

/** Tools to evaluate one page. Each remark is made once. */
export const openPage = (pageNote: Note): { note: Note; place: Place; run: Run; globals: Scope } => {
  const note = createOnceNote(pageNote)
  const place: Place = { source: null, component: null }
  const run: Run = createRun(
    createBudget(),
    createMdxHost(note, place, () => run),
  )
  return { note, place, run, globals: createScope(null) }
}

/** Everything left out is reported, once for each component from another file. */
const createMdxHost = (note: Note, place: Place, readRun: () => Run): Host => {
  const noted = new Set<string>()
  const noteHere: Note = (kind, what) => {
    const { component } = place
    if (component === null) note(kind, what)
    else if (!noted.has(component)) note(kind, `of <${component}>, what only its own site can compute: ${what}`)
    if (component !== null) noted.add(component)
  }
  const takeSlots = (name: string, props: Map<string, Value>) =>
    [...props].flatMap(([key, value]): ElementContent[] => {
      const isSlot = isCapitalised(name) && isSlotOfAttribute(key.toLowerCase()) && hasElements(value)
      if (!isSlot) return []
      return runWithinBudget<ElementContent[]>(
        () => {
          const nodes = toNodes(value, readRun())
          props.delete(key)
          return [{ type: 'element', tagName: 'Fragment', properties: { slot: key.toLowerCase() }, children: nodes }]
        },
        () => [],
      )
    })
  return {
    element: (name, props, children) => {
      const html = props.get('set:html') ?? props.get('set:text')
      const given = new Map([...props].filter(([key]) => !/^set:(html|text)$/.test(key) && !directives.test(key)))
      const slots = takeSlots(name, given)
      const properties = readProperties(name, given, noteHere)
      const isText = typeof html === 'string'
      if (html !== undefined && html !== null && !isText) noteHere('left-out', `the content of <${name}>`)
      const content = !isText
        ? [...slots, ...children, ...(isOwnComponent(name) ? listData(props, readRun().budget) : [])]
        : props.has('set:html')
          ? (parseHtml(html).children as ElementContent[])
          : [{ type: 'text' as const, value: html }]
      return name === 'Fragment' && given.size === 0
        ? content
        : [{ type: 'element', tagName: name, properties, children: content }]
    },
    hole: (reason) => {
      if (place.component !== null) {
        noteHere('left-out', reason)
        return [{ type: 'element', tagName: 'not-here-inline', properties: { isGap: true }, children: [] }]
      }
      if (reason !== '') note('left-out', describeReason(reason, place))
      return [{ type: 'element', tagName: 'not-here-inline', properties: {}, children: [] }]
    },
  }
}

const hasElements = (value: Value): boolean =>
  isList(value) ? value.some(hasElements) : isMarkup(value) && value.nodes.some(({ type }) => type === 'element')

const describeReason = (reason: string, { source }: Place) =>
  /a cycle: /.test(reason) || (source !== null && reason.startsWith(source))
    ? reason
    : `${source ?? 'an expression'}: ${reason}`

const readProperties = (element: string, props: Fields, note: Note): Properties => {
  const properties: Properties = {}
  for (const [name, value] of props) {
    if (value === undefined || value === null || silent.test(name)) continue
    const key = renamed.get(name.toLowerCase()) ?? name.toLowerCase()
    const readable = readValue(key, value)
    if (readable !== null) properties[key] = readable
    else if (name === '') note('left-out', 'a spread of attributes')
    else note('left-out', `an attribute: ${name} of <${element}>${isUnknown(value) ? ` (${value.reason})` : ''}`)
  }
  return properties
}

/** Value of an attribute as text; null if it has no text. */
const readValue = (key: string, value: Value): string | number | boolean | null => {
  if (isPrimitive(value)) return value ?? null
  if (isUnknown(value) || isCallable(value)) return null
  if (isMarkup(value)) return readText(value.nodes)
  if (isList(value)) {
    const texts = value.map((item) =>
      isMarkup(item)
        ? readText(item.nodes)
        : isPrimitive(item)
          ? item === false
            ? ''
            : (item ?? '')
          : key === 'className'
            ? readValue(key, item)
            : null,
    )
    return texts.includes(null) ? null : texts.filter((text) => text !== '').join(key === 'className' ? ' ' : ', ')
  }
  if (key === 'className') return [...value].flatMap(([name, isSet]) => (isTrue(isSet) ? [name] : [])).join(' ')
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

const maxDepth = 6
const titles = [...literalNames, 'name']

/** Texts in the data that an unknown component received, such as the entries of a menu, as lists. */
const listData = (fields: Fields, budget: Budget, depth = 0): ElementContent[] =>
  depth > maxDepth
    ? []
    : [...fields.values()].flatMap((value): ElementContent[] => {
        const entries = isList(value) ? value.filter(isFields) : []
        const items = entries.flatMap((entry) => readEntry(entry, budget, depth))
        return items.length > 0 ? [h('ul', items)] : []
      })

const readEntry = (entry: Fields, budget: Budget, depth: number): ElementContent[] => {
  chargeSize(budget, 2)
  const words = titles.flatMap((name) => {
    const value = entry.get(name)
    return isWord(value) ? [value] : []
  })
  const href = addressNames.map((name) => entry.get(name)).find((value) => typeof value === 'string' && value !== '')
  const [first, ...rest] = words
  const nested = listData(entry, budget, depth + 1)
  if (first === undefined && nested.length === 0) return []
  const title = first === undefined ? [] : toTextNode(first, budget)
  const address = typeof href === 'string' && first !== undefined ? href : null
  const more = rest.flatMap((word) => [{ type: 'text' as const, value: ' · ' }, ...toTextNode(word, budget)])
  return [h('li', [...wrapInLink(address, title), ...more, ...nested])]
}

const toTextNode = (word: string | number, budget: Budget): ElementContent[] => {
  chargeSize(budget, String(word).length)
  return [{ type: 'text', value: String(word) }]
}

export const isPlaceholder = (node: { type: string }): boolean =>
  node.type === 'element' && 'properties' in node && (node.properties as { isGap?: boolean }).isGap === true

export const removeLonePlaceholders = (tree: Root): void => {
  walkTree(tree, (node) => {
    if (!('children' in node) || !node.children.some(isPlaceholder)) return
    const isSentence = node.children.some((child) => child.type === 'text' && /[\p{L}\p{N}]/u.test(child.value))
    node.children = node.children.filter((child) => isSentence || !isPlaceholder(child)) as never
  })
}
