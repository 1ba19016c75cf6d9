import type { DefaultTreeAdapterTypes as Tree } from 'parse5'
import { findChild, isElement, listElements, readAttribute, readText } from '#pages/html.ts'

/** Elements that change the meaning of the text in them. */
const signs = new Map([
  ['del', '~~'],
  ['s', '~~'],
  ['strike', '~~'],
  ['ins', '++'],
  ['sub', '~'],
  ['sup', '^'],
])

const formStates = ['placeholder', 'checked', 'selected', 'disabled', 'readonly', 'required', 'multiple']
/** Attributes that readers notice, beside those of every element. */
const states = new Map<string, readonly string[]>([
  ['ol', ['start', 'reversed', 'type']],
  ['li', ['value']],
  ['details', ['open']],
  ['dialog', ['open']],
  ['input', ['value', ...formStates]],
  ['textarea', formStates],
  ['select', formStates],
  ['button', formStates],
  ['meter', ['value']],
  ['progress', ['value']],
])

export const readSign = (element: Tree.Element): string => signs.get(element.tagName) ?? ''

/** What readers notice of an element beside its text: `[checked]`, `[start 5]`, `[hidden]`. Empty for most. */
export const readState = ({ tagName, attrs }: Tree.Element): string => {
  if (attrs.length === 0) return ''
  const own = states.get(tagName)
  const found: string[] = []
  for (const { name, value } of attrs) {
    if (name === 'style' ? /display\s*:\s*none/i.test(value) : name === 'hidden') found.push('hidden')
    else if (name === 'title' || own?.includes(name)) {
      const text = value === '' || value === name ? name : `${name} ${value}`
      if (text !== 'start 1') found.push(text)
    }
  }
  const isUnseen = tagName === 'input' && attrs.some(({ name, value }) => name === 'type' && /^hidden$/i.test(value))
  return isUnseen || found.length === 0 ? '' : `[${found.join(', ')}]`
}

/** States of a control whose own text is not read. */
export const readControl = (element: Tree.Element): string => {
  if (element.tagName !== 'select') return states.has(element.tagName) ? readState(element) : ''
  const chosen = listElements(element).filter(
    (one) => one.tagName === 'option' && readAttribute(one, 'selected') !== null,
  )
  return [readState(element), ...chosen.map((one) => `[selected ${readText(one).trim()}]`)].join('')
}

export const readDescription = (html: Tree.Element): string => {
  const head = findChild(html, 'head')
  const found = head?.childNodes
    .filter(isElement)
    .find((one) => one.tagName === 'meta' && readAttribute(one, 'name')?.toLowerCase() === 'description')
  return (found === undefined ? null : readAttribute(found, 'content'))?.replace(/\s+/g, ' ').trim() ?? ''
}
