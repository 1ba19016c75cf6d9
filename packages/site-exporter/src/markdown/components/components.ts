import type { Element, ElementContent, Properties, Root } from 'hast'
import { h } from 'hastscript'
import { markIcon, placeIcon } from '#markdown/icons/icon-marks.ts'
import type { Words } from '#site/words.ts'
import type { Note } from '#markdown/page-notes.ts'
import { callouts, disclosureFamily } from './callouts.ts'
import { cardFamily, renderHero } from './cards.ts'
import { isSlotOfAttribute, unwrapParagraph, type Components, type Props, type Slot } from './component.ts'
import { fieldFamily, layoutFamily, stepFamily } from './layout.ts'
import { mediaFamily } from './media.ts'
import { tabFamily, wrapViews } from './tabs.ts'
import { addressNames, readableNames, unknownFamily } from './unknown.ts'
import { walkTree } from '#markdown/walk-tree.ts'
import { sanitize } from 'hast-util-sanitize'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'

const components: Components = {
  ...callouts,
  ...cardFamily,
  ...tabFamily,
  ...stepFamily,
  ...fieldFamily,
  ...disclosureFamily,
  ...mediaFamily,
  ...layoutFamily,
  hero: renderHero,
  ...unknownFamily,
}

/** Lower-case names of rendered components. Others are replaced by their content. */
export const componentNames: readonly string[] = Object.keys(components)

type NoteUnused = (attribute: string, component: string) => void

/** Renders every component of a sanitised tree. Reports each attribute that has no effect. */
export const renderComponents = (tree: Root, note: Note, words: Words): Root => {
  const remarks = new Set<string>()
  const noteUnused: NoteUnused = (attribute, component) => remarks.add(`${attribute} of <${component}>`)
  const children = wrapViews(tree.children.flatMap((node) => renderNode(node as ElementContent, noteUnused, words)))
  const rendered = { ...tree, children }
  for (const remark of remarks) note('left-out', remark)
  applyClassNames(rendered)
  return rendered
}

const renderNode = (node: ElementContent, noteUnused: NoteUnused, words: Words): ElementContent[] => {
  if (node.type !== 'element') return [node]
  const name = node.tagName.startsWith('x-') ? node.tagName.slice(2) : ''
  const component = Object.hasOwn(components, name) ? components[name] : undefined
  const { slot: _, dataPart, ...properties } = node.properties
  const renderChild = (child: ElementContent) => renderNode(child, noteUnused, words)
  if (!component) return [{ ...node, properties, children: node.children.flatMap(renderChild) }]
  const takesSlots = name === 'slottabs' || name === 'packagemanagers'
  const slots = node.children.flatMap((child): Slot[] => {
    const slot = readSlot(child, takesSlots)
    return slot === null ? [] : [{ name: slot, children: renderChild(child) }]
  })
  const children = node.children.filter((child) => readSlot(child, takesSlots) === null).flatMap(renderChild)
  const used = new Set<string>()
  const text = (attribute: string) => {
    used.add(attribute)
    return readText(properties, attribute)
  }
  const result = component(wrapViews(children), text, { ...readProps(properties, slots, used), words })
  const nodes = Array.isArray(result) ? result : [result]
  const [first] = nodes
  if (first?.type === 'element') keepCommonAttributes(first, properties)
  if (name !== 'icon') placeIcon(first, readIcon(slots, text))
  used.add('icon')
  const unused = takesSlots ? [] : slots.filter((slot) => !used.has(slot.name)).flatMap((slot) => slot.children)
  if (dataPart !== undefined)
    for (const key of Object.keys(properties))
      if (!used.has(key) && !common.test(key) && !readableNames.includes(key)) noteUnused(key, String(dataPart))
  return [...readUnused(properties, used, first), ...nodes, ...unused]
}

const common = /^(id|lang|dir|data[A-Z]\w*)$/

/** Adds the texts and addresses of attributes that the component did not show, so that none are lost. */
const readUnused = (properties: Properties, used: ReadonlySet<string>, first: ElementContent | undefined) => {
  const isInline = first !== undefined && (first.type !== 'element' || /^(span|abbr|a|code|img)$/.test(first.tagName))
  return readableNames.flatMap((name): ElementContent[] => {
    const text = used.has(name) ? null : readText(properties, name)
    if (text === null) return []
    const content = addressNames.includes(name)
      ? h('a', { href: text }, text)
      : ({ type: 'text', value: text } as const)
    return isInline ? [content, { type: 'text', value: ' ' }] : [h('p', { className: ['part-title'] }, [content])]
  })
}

const readSlot = (node: ElementContent, takesAll: boolean): string | null => {
  if (node.type !== 'element') return null
  const slot = readText(node.properties, 'slot')
  return slot !== null && (takesAll || isSlotOfAttribute(slot)) ? slot : null
}

const readIcon = (slots: readonly Slot[], text: (name: string) => string | null): readonly ElementContent[] => {
  const mark = markIcon(text)
  return mark ? [mark] : unwrapParagraph(slots.find(({ name }) => name === 'icon')?.children ?? [])
}

const keepCommonAttributes = (first: Element, { id, dataUtility }: Properties) => {
  if (id) first.properties['id'] = id
  if (dataUtility) first.properties['dataUtility'] = dataUtility
}

/** Attributes whose value is Markdown. In others, only code spans are formatted. */
const sentences = /^(description|details|caption|hint|tip|content|tagline|subtitle)$/

const readProps = (properties: Properties, slots: readonly Slot[], used: Set<string>): Omit<Props, 'words'> => ({
  slots,
  inline: (...names) => {
    for (const name of names) {
      const text = readText(properties, name)
      const parts = [
        ...(text === null ? [] : [sentences.test(name) ? renderInlineMarkdown(text) : renderInlineCode(text)]),
        ...slots.filter((one) => one.name === name).map(({ children }) => unwrapParagraph(children)),
      ].filter((part) => part.length > 0)
      if (parts.length === 0) continue
      used.add(name)
      return parts.flatMap((part, index) => (index > 0 ? [{ type: 'text', value: ' ' } as const, ...part] : part))
    }
    return []
  },
  isOff: (name) => {
    used.add(name)
    return /^false$/.test(String(properties[name]))
  },
  list: (name) => {
    used.add(name)
    const value = properties[name]
    if (Array.isArray(value)) return value.map(String)
    const text = readText(properties, name)
    return text === null ? [] : readList(text)
  },
})

const readList = (text: string): string[] => {
  try {
    const parsed: unknown = text.startsWith('[') ? JSON.parse(text) : null
    if (Array.isArray(parsed)) return parsed.map((item) => (typeof item === 'string' ? item : JSON.stringify(item)))
  } catch {
    // The text only looks like JSON.
  }
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

const readText = (properties: Properties, name: string) => {
  const value = properties[name]
  if (value === undefined || value === null || value === false || value === '') return null
  return value === true ? 'true' : String(value)
}

const applyClassNames = (tree: Root): void => {
  walkTree(tree, 'element', ({ properties }) => {
    const { dataTheme, dataApi, dataUtility, className } = properties
    if (dataTheme === undefined && dataApi === undefined && dataUtility === undefined) return
    for (const name of ['dataTheme', 'dataApi', 'dataUtility']) delete properties[name]
    properties['className'] = [
      ...(Array.isArray(className) ? className : []),
      ...(dataTheme ? [`on-${String(dataTheme)}`] : []),
      ...(dataApi ? ['api-style', String(dataApi)] : []),
      ...(typeof dataUtility === 'string' ? dataUtility.split(' ') : []),
    ]
  })
}

const markdown = unified().use(remarkParse).use(remarkGfm, { singleTilde: false }).freeze()
const toHtml = unified().use(remarkRehype).freeze()
const markdownMarks = /[[*_`]|~~|https?:|www\.|\\/
/** Longer text stays plain. Characters. */
const maxLength = 4_000
const schema = {
  tagNames: ['a', 'code', 'em', 'strong', 'del', 'br'],
  attributes: { a: ['href'] },
  protocols: { href: ['http', 'https', 'mailto', 'tel'] },
}

/** Formats code spans in a title; other Markdown marks stay text. */
const renderInlineCode = (text: string): ElementContent[] =>
  text
    .split(/`([^`]+)`/)
    .map((piece, index) => (index % 2 === 1 ? h('code', piece) : ({ type: 'text', value: piece } as const)))
    .filter((piece) => piece.type !== 'text' || piece.value !== '')

/** Reads an attribute as inline Markdown. HTML, pictures and blocks stay text. */
const renderInlineMarkdown = (text: string): ElementContent[] => {
  if (text.length > maxLength || !markdownMarks.test(text)) return [{ type: 'text', value: text }]
  const tree = markdown.parse(text)
  const isOneParagraph = tree.children.length === 1 && tree.children[0]?.type === 'paragraph'
  if (!isOneParagraph) return [{ type: 'text', value: text }]
  walkTree(tree, (node, index, parent) => {
    if (!parent || index === undefined || !/^(html|image|imageReference|footnoteReference)$/.test(node.type)) return
    const { start, end } = node.position!
    parent.children[index] = { type: 'text', value: text.slice(start.offset, end.offset) }
  })
  const root = sanitize(toHtml.runSync(tree), schema) as Root
  return root.children as ElementContent[]
}
