import type { Element, ElementContent, Properties, Root } from 'hast'
import { h } from 'hastscript'
import { markIcon, placeIcon } from '#markdown/icons/icon-marks.ts'
import { callouts } from './callouts.ts'
import { cardFamily } from './cards.ts'
import { applyClassNames } from './class-names.ts'
import type { Components, Props, Slot } from './component.ts'
import { disclosureFamily } from './disclosure.ts'
import { fieldFamily } from './fields.ts'
import { hero } from './hero.ts'
import { inlineCode, inlineMarkdown } from './inline-markdown.ts'
import { layoutFamily } from './layout.ts'
import { mediaFamily } from './media.ts'
import { stepFamily } from './steps.ts'
import { tabFamily } from './tabs.ts'
import { addressNames, literalNames, unknownFamily } from './unknown.ts'
import { wrapViews } from './views.ts'

const components: Components = {
  ...callouts,
  ...cardFamily,
  ...tabFamily,
  ...stepFamily,
  ...fieldFamily,
  ...disclosureFamily,
  ...mediaFamily,
  ...layoutFamily,
  hero,
  ...unknownFamily,
}

/** Lower-case names of rendered components. Others are replaced by their content. */
export const componentNames: readonly string[] = Object.keys(components)

/** Renders every component of a sanitised tree. */
export const renderComponents = (tree: Root): Root => {
  const rendered = { ...tree, children: wrapViews(tree.children.flatMap((node) => render(node as ElementContent))) }
  applyClassNames(rendered)
  return rendered
}

const render = (node: ElementContent): ElementContent[] => {
  if (node.type !== 'element') return [node]
  const name = node.tagName.startsWith('x-') ? node.tagName.slice(2) : ''
  const component = Object.hasOwn(components, name) ? components[name] : undefined
  const { slot: _, ...properties } = node.properties
  if (!component) return [{ ...node, properties, children: node.children.flatMap(render) }]
  const takesSlots = name === 'slottabs' || name === 'packagemanagers'
  const slots = node.children.flatMap((child): Slot[] => {
    const slot = readSlot(child, takesSlots)
    return slot === null ? [] : [{ name: slot, children: render(child) }]
  })
  const children = node.children.filter((child) => readSlot(child, takesSlots) === null).flatMap(render)
  const used = new Set<string>()
  const text = (attribute: string) => {
    used.add(attribute)
    return readText(properties, attribute)
  }
  const result = component(wrapViews(children), text, readProps(properties, slots, used))
  const nodes = Array.isArray(result) ? result : [result]
  const [first] = nodes
  if (first?.type === 'element') keepCommon(first, properties)
  if (name !== 'icon') placeIcon(first, readIcon(slots, text))
  used.add('icon')
  const unused = takesSlots ? [] : slots.filter((slot) => !used.has(slot.name)).flatMap((slot) => slot.children)
  return [...readUnused(properties, used, first), ...nodes, ...unused]
}

/** Words and addresses that the component did not show, so that none is lost. */
const readUnused = (properties: Properties, used: ReadonlySet<string>, first: ElementContent | undefined) => {
  const isInline = first !== undefined && (first.type !== 'element' || /^(span|abbr|a|code|img)$/.test(first.tagName))
  return [...literalNames, ...addressNames].flatMap((name): ElementContent[] => {
    const text = used.has(name) ? null : readText(properties, name)
    if (text === null) return []
    const content = addressNames.includes(name)
      ? h('a', { href: text }, text)
      : ({ type: 'text', value: text } as const)
    return isInline ? [content, { type: 'text', value: ' ' }] : [h('p', { className: ['part-title'] }, [content])]
  })
}

/** Slots that stand for an attribute; the others belong to tabs. */
const attributeSlots = /^(icon|title|label|headline|caption|hint|tip|description|summary|cta)$/

const readSlot = (node: ElementContent, takesAll: boolean): string | null => {
  if (node.type !== 'element') return null
  const slot = readText(node.properties, 'slot')
  return slot !== null && (takesAll || attributeSlots.test(slot)) ? slot : null
}

const readIcon = (slots: readonly Slot[], text: (name: string) => string | null): readonly ElementContent[] => {
  const mark = markIcon(text)
  return mark ? [mark] : unwrapped(slots.find(({ name }) => name === 'icon')?.children ?? [])
}

const keepCommon = (first: Element, { id, dataUtility }: Properties) => {
  if (id) first.properties['id'] = id
  if (dataUtility) first.properties['dataUtility'] = dataUtility
}

/** Attributes that hold sentences; in the others only code spans are marks. */
const sentences = /^(description|details|caption|hint|tip|content|tagline|subtitle)$/

const readProps = (properties: Properties, slots: readonly Slot[], used: Set<string>): Props => ({
  slots,
  inline: (...names) => {
    for (const name of names) {
      const text = readText(properties, name)
      const parts = [
        ...(text === null ? [] : [sentences.test(name) ? inlineMarkdown(text) : inlineCode(text)]),
        ...slots.filter((one) => one.name === name).map(({ children }) => unwrapped(children)),
      ].filter((part) => part.length > 0)
      if (parts.length === 0) continue
      used.add(name)
      return parts.flatMap((part, index) => (index > 0 ? [{ type: 'text', value: ' ' } as const, ...part] : part))
    }
    return []
  },
  list: (name) => {
    used.add(name)
    const value = properties[name]
    if (Array.isArray(value)) return value.map(String)
    const text = readText(properties, name)
    return text === null ? [] : readList(text)
  },
})

/** A slot of one paragraph is inline content. */
const unwrapped = (children: ElementContent[]): ElementContent[] => {
  const pieces = children.filter((child) => child.type !== 'text' || child.value.trim() !== '')
  const [only] = pieces
  return pieces.length === 1 && only?.type === 'element' && only.tagName === 'p' ? only.children : children
}

const readList = (text: string): string[] => {
  try {
    const parsed: unknown = text.startsWith('[') ? JSON.parse(text) : null
    if (Array.isArray(parsed)) return parsed.map((item) => (typeof item === 'string' ? item : JSON.stringify(item)))
  } catch {
    // Text that only looks like JSON.
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
