import type { Element, ElementContent } from 'hast'
import { toString } from 'hast-util-to-string'
import { h } from 'hastscript'
import { paragraph, plainText, type Component, type Components } from './component.ts'

/** Numbered steps. An ordered list inside gives its items. */
const steps: Component = (children, text) => {
  const items = children.flatMap((child): ElementContent[] => {
    if (child.type !== 'element') return toString(child).trim() === '' ? [] : [plainItem(child)]
    if (child.tagName === 'ol') return child.children.filter((item) => item.type === 'element')
    return [child.tagName === 'li' ? child : plainItem(child)]
  })
  for (const item of items) sizeTitle(item, text('titlesize') ?? '')
  const list = children.find((child): child is Element => child.type === 'element' && child.tagName === 'ol')
  return h('ol', { className: ['steps'], start: list?.properties['start'] as number | undefined }, items)
}

/** A heading stands in the table of contents, too. */
const headings = /^h[2-4]$/

/** The size of the list is that of steps without their own. */
const sizeTitle = (item: ElementContent, size: string) => {
  if (item.type !== 'element' || !headings.test(size)) return
  const title = item.children.find(
    (child): child is Element =>
      child.type === 'element' && child.tagName === 'p' && String(child.properties['className']) === 'step-title',
  )
  if (title) title.tagName = size
}

/** Content between steps has no number. */
const plainItem = (child: ElementContent) => h('li', { className: ['no-step'] }, [child])

const step: Component = (children, text, { inline }) => {
  const title = inline('title')
  const number = text('stepnumber')
  const size = text('titlesize') ?? ''
  return h(
    'li',
    {
      dataAnchor: text('noanchor') === null ? plainText(title) : null,
      value: number && /^\d{1,4}$/.test(number) ? number : null,
    },
    [
      ...(title.length > 0 ? [h(headings.test(size) ? size : 'p', { className: ['step-title'] }, title)] : []),
      ...paragraph('step-text', inline('description')),
      ...children,
    ],
  )
}

/** Steps and their list. */
export const stepFamily: Components = { steps, step }
