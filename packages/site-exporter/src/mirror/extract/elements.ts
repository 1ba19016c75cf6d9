import type { Element, ElementContent, Root, RootContent } from 'hast'
import { toString } from 'hast-util-to-string'

type Parent = Element | Root

/** Whether a node is an element, of one of `names` if any are given. */
export const isElement = (node: RootContent | Root | undefined, ...names: string[]): node is Element =>
  node?.type === 'element' && (names.length === 0 || names.includes(node.tagName))

/** A property as text; empty when it is not there. */
export const textAttribute = (node: Element, name: string): string => {
  const value = node.properties[name]
  if (Array.isArray(value)) return value.join(' ')
  return value === undefined || value === null || typeof value === 'boolean' ? '' : String(value)
}

/** The classes of an element, as one text with blanks around each. */
export const readClasses = (node: Element): string => {
  const value = node.properties['className']
  return Array.isArray(value) ? ` ${value.join(' ')} ` : ''
}

/** Words of an element, with single blanks, and without the signs of icon fonts. */
export const readText = (node: Parent | ElementContent): string =>
  toString(node)
    .replaceAll(/[\u200b\u2060\ufeff\ue000-\uf8ff]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Every element inside, in the order of the page. `into` false: what is inside an element that matched is not looked at. */
export const findAll = (parent: Parent, matches: (node: Element) => boolean, into = true): Element[] => {
  const found: Element[] = []
  const look = (node: Parent) => {
    for (const child of node.children) {
      if (!isElement(child)) continue
      const isFound = matches(child)
      if (isFound) found.push(child)
      if (into || !isFound) look(child)
    }
  }
  look(parent)
  return found
}

/** The first such element. */
export const find = (parent: Parent, matches: (node: Element) => boolean): Element | undefined => {
  for (const child of parent.children) {
    if (!isElement(child)) continue
    const found = matches(child) ? child : find(child, matches)
    if (found) return found
  }
  return undefined
}

/** The elements directly inside. */
export const elementsIn = (parent: Parent): Element[] =>
  (parent.children as ElementContent[]).filter((child) => child.type === 'element')

/** Text of a heading without the sign of its permalink. */
export const readTitle = (heading: Element): string => readText(heading).replace(/\s*[#¶§]$/u, '')

/** A copy of an element without the elements in `gone`, at any depth. */
export const withoutElements = (node: Element, gone: readonly Element[]): Element => ({
  ...node,
  children: node.children
    .filter((child) => !isElement(child) || !gone.includes(child))
    .map((child) => (isElement(child) ? withoutElements(child, gone) : child)),
})
