import type { Element, ElementContent } from 'hast'
import { toString } from 'hast-util-to-string'
import { h } from 'hastscript'
import { listClasses, findTone, hasLink, renderParagraph, type Component, type Components } from './component.ts'

const renderCards: Component = (children, text) => {
  const columns = text('cols') ?? text('columns')
  return h(
    'div',
    { className: listClasses('cards', !!columns && /^[1-6]$/.test(columns) && `cols-${columns}`) },
    children,
  )
}

const renderCard: Component = (children, text, { inline, isOff }) => {
  const href = text('href') ?? text('link') ?? text('to')
  const title = inline('title', 'label', 'name')
  const [image, tone, cta] = [text('img') ?? text('image'), findTone(text('color')), inline('cta', 'linktext')]
  const names = listClasses(
    'card',
    text('horizontal') !== null && 'horizontal',
    tone && `tone-${tone}`,
    isOff('arrow') && 'no-arrow',
  )
  const hasTitleLink = href !== null && title.length > 0 && !title.some(hasLink)
  const content = hasTitleLink || href === null ? children : linkFirstParagraph(children, href)
  const bare = href !== null && content === null ? [h('a', { href }, href)] : []
  return h('div', { className: names }, [
    ...(image ? [h('img', { src: image, alt: '' })] : []),
    ...renderParagraph('card-title', hasTitleLink ? [h('a', { href }, title)] : [...title, ...bare]),
    ...renderParagraph('card-text', inline('description', 'details')),
    ...(content ?? children),
    ...renderParagraph('card-cta', cta),
  ])
}

/** Links the first paragraph of a card without a title; null if there is no paragraph that can be a single link. */
const linkFirstParagraph = (children: readonly ElementContent[], href: string): ElementContent[] | null => {
  const index = children.findIndex((child) => toString(child).trim() !== '')
  const first = children[index]
  if (!first || hasLink(first)) return null
  const isText = first.type !== 'element' || !/^(p|h[1-6])$/.test(first.tagName)
  if (isText && first.type !== 'text') return null
  const linked = isText
    ? h('p', { className: ['card-title'] }, h('a', { href }, [first]))
    : h(first.tagName, { className: ['card-title'] }, h('a', { href }, (first as Element).children))
  return children.map((child, at) => (at === index ? linked : child))
}

const renderLinkButton: Component = (children, text, { inline }) => {
  const href = text('href') ?? text('to') ?? text('link')
  const variant = text('variant') ?? ''
  const content = [...inline('text', 'label', 'title'), ...children]
  const name = /^(secondary|minimal|outline|ghost)$/.test(variant) ? 'secondary' : 'primary'
  if (href === null) return content
  return h('a', { className: ['link-button', name], href }, content.length > 0 ? content : href)
}

const renderLink: Component = (children, text, { inline }) => {
  const href = text('href') ?? text('to') ?? text('link')
  const content = [...inline('text', 'label'), ...children]
  return href === null ? content : h('a', { href, title: text('title') }, content.length > 0 ? content : href)
}

const renderRepository: Component = (children, text) => {
  const name = text('repo') ?? ''
  const isName = /^[\w.-]+\/[\w.-]+$/.test(name)
  const title = isName ? h('a', { href: `https://github.com/${name}` }, name) : name
  return [h('div', { className: ['card'] }, [h('p', { className: ['card-title'] }, title)]), ...children]
}

export const cardFamily: Components = {
  card: renderCard,
  tile: renderCard,
  linkcard: renderCard,
  cardgroup: renderCards,
  cardgrid: renderCards,
  cards: renderCards,
  tiles: renderCards,
  columns: renderCards,
  column: (children) => h('div', { className: ['column'] }, children),
  linkbutton: renderLinkButton,
  button: renderLinkButton,
  link: renderLink,
  'github.repo': renderRepository,
}

export const renderHero: Component = (children, _, { inline }) => {
  const pictures = children.filter(isPicture)
  const actions = children.filter((child) => !isPicture(child))
  return h('div', { className: ['hero'] }, [
    h('div', { className: ['hero-words'] }, [
      ...renderParagraph('hero-name', inline('name')),
      ...renderParagraph('hero-text', inline('text')),
      ...renderParagraph('hero-tagline', inline('tagline')),
      ...(actions.length > 0 ? [h('div', { className: ['hero-actions'] }, actions)] : []),
    ]),
    ...(pictures.length > 0 ? [h('div', { className: ['hero-image'] }, pictures)] : []),
  ])
}

const isPicture = (node: ElementContent) => node.type === 'element' && /^(img|x-drawing|svg)$/.test(node.tagName)
