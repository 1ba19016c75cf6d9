import type { ElementContent } from 'hast'
import { h } from 'hastscript'
import { fillWording } from '#site/words.ts'
import { wrapInLink, renderParagraph, type Component, type Components } from './component.ts'

/** Attributes with text for readers, in the order in which they are shown. */
export const literalNames =
  'title label heading headline caption summary subtitle text description details tagline'.split(' ')
export const addressNames = ['href', 'link', 'to', 'url']
export const readableNames: readonly string[] = [...literalNames, ...addressNames]

const readLines = (inline: (...names: string[]) => ElementContent[]) =>
  literalNames.map((name) => inline(name)).filter((line) => line.length > 0)

const renderUnknown: Component = (children, text, { inline }) => {
  const [title, ...lines] = readLines(inline)
  const href = addressNames.map(text).find((address) => address !== null) ?? null
  const isPart = children.some((child) => child.type === 'element' && !/^(p|img|span|a|code)$/.test(child.tagName))
  return h('div', { className: [isPart ? 'part' : 'card'] }, [
    ...renderParagraph(isPart ? 'part-title' : 'card-title', wrapInLink(href, title ?? [])),
    ...lines.flatMap((line) => renderParagraph('card-text', line)),
    ...children,
  ])
}

const renderUnknownInline: Component = (children, text, { inline }) => {
  const lines = readLines(inline)
  const href = addressNames.map(text).find((address) => address !== null) ?? null
  const words = [...lines, children].filter((line) => line.length > 0)
  const [first = [], ...rest] = words
  return [...wrapInLink(href, first), ...rest.flatMap((line) => [{ type: 'text', value: ' ' } as const, ...line])]
}

export const unknownFamily: Components = {
  unknown: renderUnknown,
  'unknown-inline': renderUnknownInline,
  'not-here': (children, text, { words }) => {
    const name = text('name')
    const gap = name ? fillWording(words, words.content.interactiveNamed, { name }) : words.content.interactive
    return [h('p', { className: ['not-here'] }, gap), ...children]
  },
  'not-here-inline': (children, _, { words }) => [
    h('span', { className: ['not-here'] }, words.content.computed),
    ...children,
  ],
}
