import { h } from 'hastscript'
import { plainText, type Component, type Components } from './component.ts'

const accordion: Component = (children, text, { inline }) => {
  const title = inline('title', 'summary', 'label')
  const description = inline('description')
  const anchor = plainText(title)
  const isOpen = text('defaultopen') !== null || text('open') !== null
  return h('details', { className: ['accordion'], dataAnchor: anchor, open: isOpen || null }, [
    h('summary', [
      ...(title.length > 0 ? title : ['Details']),
      ...(description.length > 0 ? [h('span', { className: ['summary-text'] }, description)] : []),
    ]),
    h('div', children),
  ])
}

/** Short notes are a title of the word, longer ones a box. Touch and keyboard users cannot hover, so both take the focus. */
const tooltip: Component = (children, text, { inline }) => {
  const [headline, cta, href] = [inline('headline', 'title'), inline('cta'), text('href')]
  const tip = inline('tip', 'content', 'text', 'description')
  const isWord = headline.length === 0 && cta.length === 0 && href === null && tip.every(({ type }) => type === 'text')
  if (isWord) return h('abbr', { title: plainText(tip) ?? '', tabIndex: 0 }, children)
  const link = href ? [h('a', { href }, cta.length > 0 ? cta : href)] : cta
  return h('span', { className: ['tooltip'], tabIndex: 0 }, [
    h('span', { className: ['tooltip-word'] }, children),
    h('span', { className: ['tooltip-box'], role: 'note' }, [
      ...(headline.length > 0 ? [h('strong', headline), ' '] : []),
      ...tip,
      ...(link.length > 0 ? [' ', ...link] : []),
    ]),
  ])
}

/** Content that opens. */
export const disclosureFamily: Components = {
  accordion,
  expandable: accordion,
  details: accordion,
  accordiongroup: (children) => h('div', { className: ['accordions'] }, children),
  tooltip,
}
