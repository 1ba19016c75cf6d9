import type { Element, ElementContent, Root, RootContent } from 'hast'
import { toString } from 'hast-util-to-string'

type Parent = Element | Root

export const isElement = (node: RootContent | Root | undefined, ...names: string[]): node is Element =>
  node?.type === 'element' && (names.length === 0 || names.includes(node.tagName))

/** An attribute as text, `''` if missing. */
export const readAttribute = (node: Element, name: string): string => {
  const value = node.properties[name]
  if (Array.isArray(value)) return value.join(' ')
  return value === undefined || value === null || typeof value === 'boolean' ? '' : String(value)
}

/** Class names of an element, each between blanks. */
export const readClasses = (node: Element): string => {
  const value = node.properties['className']
  return Array.isArray(value) ? ` ${value.join(' ')} ` : ''
}

/** Text of an element with single blanks and without icon fonts. */
export const readText = (node: Parent | ElementContent): string =>
  toString(node)
    .replaceAll(/[\u200b\u2060\ufeff\ue000-\uf8ff]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** All matching descendants in document order. `into: false` skips the inside of matches. */
export const findElements = (parent: Parent, matches: (node: Element) => boolean, into = true): Element[] => {
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

export const findElement = (parent: Parent, matches: (node: Element) => boolean): Element | undefined => {
  for (const child of parent.children) {
    if (!isElement(child)) continue
    const found = matches(child) ? child : findElement(child, matches)
    if (found) return found
  }
  return undefined
}

export const listChildElements = (parent: Parent): Element[] =>
  (parent.children as ElementContent[]).filter((child) => child.type === 'element')

/** Text of a heading without the symbol of its permalink. */
export const readTitle = (heading: Element): string => readText(heading).replace(/\s*[#¶§]$/u, '')

export const removeElements = (node: Element, gone: readonly Element[]): Element => ({
  ...node,
  children: node.children
    .filter((child) => !isElement(child) || !gone.includes(child))
    .map((child) => (isElement(child) ? removeElements(child, gone) : child)),
})
