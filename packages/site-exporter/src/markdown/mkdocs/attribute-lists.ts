import type { Element, ElementContent, Root } from 'hast'
import { readClasses } from '#markdown/components/utilities.ts'
import { walkTree } from '#markdown/walk-tree.ts'
import { honouredClass } from './material.ts'

/** `{ #id .class key="value" }` or `{: … }`. */
const list = String.raw`\{:?[ \t]*((?:[#.][^\s{}"']{1,200}|[\w-]{1,50}=(?:"[^"\n]{0,300}"|'[^'\n]{0,300}'|[^\s{}"']{1,200}))(?:[ \t]+(?:[#.][^\s{}"']{1,200}|[\w-]{1,50}=(?:"[^"\n]{0,300}"|'[^'\n]{0,300}'|[^\s{}"']{1,200})|[\w-]{1,50})){0,20})[ \t]*\}`
const atStart = new RegExp(`^${list}`)
const atEnd = new RegExp(`[ \\t]*${list}[ \\t]*$`)
const onOwnLine = new RegExp(`(?:^|\\n)[ \\t]*${list}[ \\t]*$`)
/** Attributes that an export keeps. Most classes need the style sheet of the original site. */
const kept = new Set(['title', 'width', 'height', 'align', 'alt', 'loading'])
/** Maximum length of an attribute list. Characters. */
const maxLength = 2_000

/** Applies attribute lists to headings, blocks and the inline elements before them, and removes them from the text. */
export const applyAttributes = (tree: Root): void => {
  walkTree(tree, 'element', (node, index, parent) => {
    if (node.tagName === 'pre' || node.tagName === 'code') return
    applyInlineLists(node)
    const isHeading = /^h[1-6]$/.test(node.tagName)
    const isBlock = isHeading || /^(p|li|td|th|dt|dd)$/.test(node.tagName)
    const last = isBlock ? node.children.at(-1) : undefined
    if (last?.type !== 'text' || !last.value.trimEnd().endsWith('}')) return
    const tail = last.value.slice(-maxLength)
    const match = (isHeading || node.tagName === 'td' || node.tagName === 'th' ? atEnd : onOwnLine).exec(tail)
    if (!match) return
    last.value = last.value.slice(0, last.value.length - match[0].length)
    const isAlone =
      node.tagName === 'p' && node.children.every((child) => child.type === 'text' && child.value.trim() === '')
    // A list on a line of its own belongs to the block before it.
    const target =
      isAlone && parent && index !== undefined ? findElementBefore(parent.children as ElementContent[], index) : node
    if (target) applyAttributeList(target, match[1]!)
  })
}

/** Applies attribute lists to links and other inline elements only, outside headings, whose lists name ids. */
export const applyInlineAttributes = (tree: Root): void =>
  walkTree(tree, 'element', (node) => {
    if (!/^(pre|code|h[1-6])$/.test(node.tagName)) applyInlineLists(node)
  })

const findElementBefore = (siblings: readonly ElementContent[], index: number) =>
  siblings.slice(Math.max(0, index - 3), index).findLast((sibling) => sibling.type === 'element')

const applyInlineLists = (parent: Element) => {
  parent.children.forEach((child, index) => {
    const before = parent.children[index - 1]
    if (child.type !== 'text' || before?.type !== 'element' || !child.value.startsWith('{')) return
    const match = atStart.exec(child.value.slice(0, maxLength))
    if (!match) return
    child.value = child.value.slice(match[0].length)
    applyAttributeList(before, match[1]!)
  })
}

const applyAttributeList = (element: Element, attributes: string) => {
  for (const [, id, className, name, quoted, single, bare] of attributes.matchAll(
    /(?:#([^\s{}"']+)|\.([^\s{}"']+)|([\w-]+)=(?:"([^"]*)"|'([^']*)'|(\S+)))/g,
  )) {
    const value = quoted ?? single ?? bare
    const ownId = id ?? (name === 'id' ? value : undefined)
    if (className !== undefined && honouredClass.test(className))
      element.properties['className'] = [...readClasses(element), className]
    if (ownId !== undefined) element.properties['id'] = ownId
    if (name !== undefined && value !== undefined && kept.has(name.toLowerCase()))
      element.properties[name.toLowerCase()] = value
  }
}
