import type { ElementContent } from 'hast'
import { h } from 'hastscript'
import { paragraph, type Component } from './component.ts'

/** Beginning of a home page: its name, words, actions and picture. */
export const hero: Component = (children, _, { inline }) => {
  const pictures = children.filter(isPicture)
  const actions = children.filter((child) => !isPicture(child))
  return h('div', { className: ['hero'] }, [
    h('div', { className: ['hero-words'] }, [
      ...paragraph('hero-name', inline('name')),
      ...paragraph('hero-text', inline('text')),
      ...paragraph('hero-tagline', inline('tagline')),
      ...(actions.length > 0 ? [h('div', { className: ['hero-actions'] }, actions)] : []),
    ]),
    ...(pictures.length > 0 ? [h('div', { className: ['hero-image'] }, pictures)] : []),
  ])
}

const isPicture = (node: ElementContent) => node.type === 'element' && /^(img|x-drawing|svg)$/.test(node.tagName)
