import type { Element, ElementContent, Root, RootContent } from 'hast'
import { h } from 'hastscript'
import { nameToEmoji } from 'gemoji'
import { walkTree, SKIP } from '#markdown/walk-tree.ts'
import { readClasses } from '#markdown/components/utilities.ts'

export const honouredClass = /^(md-button|md-button--primary|grid|cards|card)$/

export const convertMaterialElements = (tree: Root): void => {
  walkTree(tree, 'element', (node) => {
    const names = readClasses(node)
    if (node.tagName === 'a' && names.includes('md-button')) {
      const { href } = node.properties
      renameElement(node, 'LinkButton', {
        href,
        variant: names.includes('md-button--primary') ? 'primary' : 'secondary',
      })
    }
    if (node.tagName !== 'div' || !names.includes('grid')) return
    node.children = node.children.flatMap((child) => listItems(child, names.includes('cards')))
    renameElement(node, 'CardGroup', {})
  })
}

const renameElement = (node: Element, tagName: string, properties: Element['properties']) => {
  node.tagName = tagName
  node.properties = Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined))
}

/** Items of a grid. Each list item is a card, and so is each block with the class `card`. */
const listItems = (child: ElementContent, hasCards: boolean): ElementContent[] => {
  if (child.type !== 'element') return []
  if (hasCards && /^[uo]l$/.test(child.tagName))
    return child.children.flatMap((item) =>
      item.type === 'element'
        ? h(
            'Card',
            item.children.filter((piece) => piece.type !== 'element' || piece.tagName !== 'hr'),
          )
        : [],
    )
  if (!readClasses(child).includes('card')) return [child]
  delete child.properties['className']
  return [h('Card', [child])]
}

const shortcode = /(?<![\p{L}\p{N}:]):([a-z0-9_+-]{1,60}):(?![\p{L}\p{N}])/gu

export const replaceEmoji = (tree: Root): void =>
  replaceTexts(tree, (value) => {
    if (!value.includes(':')) return null
    const text = value.replace(shortcode, (whole, name: string) => findEmoji(name) ?? whole)
    return text === value ? null : [{ type: 'text', value: text }]
  })

/** MkDocs puts the person first: `man_raising_hand` instead of `raising_hand_man`. */
const findEmoji = (name: string) => {
  const person = /^(man|woman)_(.+)$/.exec(name)
  const names = [name, ...(person ? [`${person[2]}_${person[1]}`] : [])]
  return names.filter((one) => Object.hasOwn(nameToEmoji, one)).map((one) => nameToEmoji[one])[0]
}

/** Gives footnotes the ids of Python-Markdown, because other pages link to them. */
export const renameFootnotes = (tree: Root): void => {
  walkTree(tree, 'element', ({ properties }) => {
    for (const key of ['id', 'href'] as const) {
      const value = properties[key]
      if (typeof value === 'string') properties[key] = value.replace(/^(#?)user-content-(fn|fnref)-(?=.)/, '$1$2:')
    }
  })
}

/** Replaces text outside code, where `replace` returns nodes. */
export const replaceTexts = (tree: Root, replace: (value: string) => ElementContent[] | null): void => {
  walkTree(tree, (node, index, parent) => {
    if (node.type === 'element' && /^(pre|code|script|style|kbd|abbr)$/.test(node.tagName)) return SKIP
    if (node.type !== 'text' || !parent || index === undefined) return undefined
    const nodes = replace(node.value)
    if (nodes === null) return undefined
    ;(parent.children as RootContent[]).splice(index, 1, ...nodes)
    return [SKIP, index + nodes.length]
  })
}
