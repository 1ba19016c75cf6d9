import type { ElementContent } from 'hast'
import { toString } from 'hast-util-to-string'
import { h } from 'hastscript'
import { parseColor } from '#site/brand.ts'
import { mapNames } from '#site/data.ts'
import type { Words } from '#site/words.ts'

export type Props = {
  /** First named attribute that is set, as inline Markdown; else the content of a slot with one of the names. */
  inline: (...names: string[]) => ElementContent[]
  isOff: (name: string) => boolean
  list: (name: string) => string[]
  slots: readonly Slot[]
  words: Words
}

export type Slot = { name: string; children: ElementContent[] }

export type Component = (
  children: ElementContent[],
  text: (name: string) => string | null,
  props: Props,
) => ElementContent | ElementContent[]

export type Components = Readonly<Record<string, Component>>

export const keepChildren: Component = (children) => children

export const renderTitled = (
  className: string,
  children: ElementContent[],
  title: ElementContent[],
  anchor: string | null,
): ElementContent =>
  h('div', { className: [className], dataAnchor: anchor }, [
    ...renderParagraph(`${className}-title`, title),
    ...children,
  ])

/** Paragraph with a class; none without content. Uses a `div` for blocks, which a slot may contain. */
export const renderParagraph = (className: string, content: readonly ElementContent[]): ElementContent[] => {
  if (content.length === 0) return []
  const hasBlock = content.some((piece) => piece.type === 'element' && !phrasing.test(piece.tagName))
  return [h(hasBlock ? 'div' : 'p', { className: [className] }, [...content])]
}
const phrasing = /^(a|abbr|b|br|code|del|em|i|img|ins|kbd|mark|q|s|small|span|strong|sub|sup|u|svg|x-drawing)$/

const tones = mapNames({
  danger: 'red danger critical error rose',
  warning: 'warning caution yellow orange amber',
  tip: 'green success tip emerald teal check',
  note: 'blue note info purple',
})

/** Nearest colour of the style sheet for a colour name, a kind or a hex colour; null for grey and unknown ones. */
export const findTone = (color: string | null): string | null => {
  const name = (color ?? '').toLowerCase().trim()
  const tone = tones.get(name)
  if (tone !== undefined) return tone
  const hex = parseColor(name)
  if (hex === null) return null
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
  const [low, high] = [Math.min(red, green, blue), Math.max(red, green, blue)]
  if (high - low < 24) return null
  if (high === blue) return 'note'
  if (high === green) return red > 0.8 * green ? 'warning' : 'tip'
  return green > 0.33 * red ? 'warning' : 'danger'
}

export const readPlainText = (content: readonly ElementContent[]): string | null =>
  content.map((piece) => toString(piece)).join('') || null

export const hasLink = (node: ElementContent): boolean =>
  node.type === 'element' && (node.tagName === 'a' || node.children.some(hasLink))

/** Content as a link. If the content contains a link, the address follows it, because links cannot nest. */
export const wrapInLink = (href: string | null, content: readonly ElementContent[]): ElementContent[] => {
  if (href === null) return [...content]
  if (content.length === 0) return [h('a', { href }, href)]
  if (!content.some(hasLink)) return [h('a', { href }, [...content])]
  return [...content, { type: 'text', value: ' ' }, h('a', { href }, href)]
}

export const listClasses = (...names: (string | false | null)[]): string[] => names.filter((name) => !!name) as string[]

const attributeSlots = /^(icon|title|label|headline|caption|hint|tip|description|summary|cta)$/

/** True for a slot that stands for an attribute; other slots are tabs. */
export const isSlotOfAttribute = (name: string): boolean => attributeSlots.test(name)

/** Content of a single paragraph; else `children`. */
export const unwrapParagraph = (children: ElementContent[]): ElementContent[] => {
  const pieces = children.filter((child) => child.type !== 'text' || child.value.trim() !== '')
  const [only] = pieces
  return pieces.length === 1 && only?.type === 'element' && only.tagName === 'p' ? only.children : children
}
