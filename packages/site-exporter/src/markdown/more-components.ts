import type { ElementContent } from 'hast'
import { h } from 'hastscript'

/** Turns a component of the source into plain elements. `text` reads one of its attributes. */
export type Component = (
  children: ElementContent[],
  text: (name: string) => string | null,
) => ElementContent | ElementContent[]

const titledPart = (children: ElementContent[], title: string | null) =>
  h('div', { className: ['part'], dataAnchor: title }, [
    ...(title ? [h('p', { className: ['part-title'] }, title)] : []),
    ...children,
  ])

/** A prompt that readers copy into another tool. */
const prompt: Component = (children, text) =>
  h('div', { className: ['callout', 'note', 'prompt'], role: 'note' }, [
    h('p', { className: ['callout-title'] }, ['Prompt', text('description')].filter(Boolean).join(': ')),
    ...children,
  ])

const repository: Component = (_, text) => {
  const name = text('repo') ?? ''
  if (!/^[\w.-]+\/[\w.-]+$/.test(name)) return []
  const href = `https://github.com/${name}`
  return h('div', { className: ['card'] }, [h('p', { className: ['card-title'] }, h('a', { href }, name))])
}

/** Of a component that only its own site can show: what it says in its attributes, and otherwise that it is missing. */
const unknown: Component = (_, text) => {
  const title = text('title') ?? text('label') ?? text('text')
  const description = text('description') ?? text('details')
  const href = text('href') ?? text('link')
  if (!title && !description && !href) {
    const name = text('name')
    return h('p', { className: ['not-here'] }, [
      `An interactive part of the original page${name ? ` (${name})` : ''} is not in this copy.`,
    ])
  }
  return h('div', { className: ['card'] }, [
    h('p', { className: ['card-title'] }, href ? h('a', { href }, title ?? href) : (title ?? '')),
    ...(description ? [h('p', description)] : []),
  ])
}

/** Components beside the ones that every documentation tool has. */
export const moreComponents: Readonly<Record<string, Component>> = {
  prompt,
  panel: (children) => h('div', { className: ['part'] }, children),
  view: (children, text) => titledPart(children, text('title')),
  banner: (children) => h('div', { className: ['callout', 'note'], role: 'note' }, children),
  label: (children) => children,
  filetree: (children) => h('div', { className: ['tree'] }, children),
  color: (children) => h('div', { className: ['colors'] }, children),
  'color.row': (children, text) => titledPart(children, text('title')),
  'color.item': (_, text) => h('p', [`${text('name') ?? ''} `, h('code', text('value') ?? '')]),
  'github.repo': repository,
  badge: (children, text) => h('span', { className: ['badge'] }, children.length > 0 ? children : (text('text') ?? '')),
  'not-here': unknown,
  'not-here-inline': () => h('span', { className: ['not-here'] }, '(computed on the original page)'),
}
