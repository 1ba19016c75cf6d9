import type { Element, ElementContent } from 'hast'
import { h } from 'hastscript'
import { readClasses } from '#markdown/components/utilities.ts'

type ReadText = (name: string) => string | null

const picture = /^(?:https?:\/\/|\.{0,2}\/)|\.(?:svg|png|jpe?g|webp|gif|ico)$/i
const emoji = /^\p{Extended_Pictographic}(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u200D|\uFE0F){0,10}$/u

/** Mark for the icon that a component names, a picture of the source, or an emoji. Null if there is none. */
export const markIcon = (text: ReadText): Element | null => {
  const value = (text('icon') ?? '').trim()
  if (value === '' || value === 'true') return null
  if (emoji.test(value)) return h('span', { className: ['icon-emoji'], ariaHidden: 'true' }, value)
  if (picture.test(value)) return h('img', { src: value, alt: '', className: ['icon-picture'] })
  const [type, size, color] = [text('icontype'), text('size'), text('color')]
  return h('span', {
    className: ['icon'],
    dataIcon: value.slice(0, 200),
    dataType: type,
    dataSize: size,
    dataColor: color,
  })
}

export const placeIcon = (first: ElementContent | undefined, icon: readonly ElementContent[]): void => {
  if (first?.type !== 'element' || icon.length === 0) return
  const isCard = readClasses(first).includes('card')
  const title = isCard ? undefined : first.children.find((child): child is Element => isTitle(child))
  ;(title ?? first).children.unshift(...icon)
}

const isTitle = (node: ElementContent) =>
  node.type === 'element' && (node.tagName === 'summary' || readClasses(node).some((name) => name.endsWith('-title')))
