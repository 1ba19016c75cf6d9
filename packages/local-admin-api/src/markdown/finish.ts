import type { Element, Root } from 'hast'
import { h } from 'hastscript'
import { SKIP, visit } from 'unist-util-visit'

const alerts: Readonly<Record<string, string>> = {
  NOTE: 'note',
  TIP: 'tip',
  IMPORTANT: 'note',
  WARNING: 'warning',
  CAUTION: 'danger',
}

/** Small repairs that make any page readable and reachable: wide tables scroll, check boxes become marks, `> [!NOTE]` a callout. */
export const finish = (tree: Root): void => {
  visit(tree, 'element', (node, index, parent) => {
    if (node.tagName === 'blockquote') asCallout(node)
    const theme = node.properties['dataTheme']
    if (theme !== undefined) {
      delete node.properties['dataTheme']
      node.properties['className'] = [`on-${String(theme)}`]
    }
    if (node.tagName === 'input') {
      const done = node.properties['checked'] === true || node.properties['checked'] === ''
      Object.assign(
        node,
        h('span', { className: ['check'], role: 'img', ariaLabel: done ? 'done' : 'open' }, done ? '☑' : '☐'),
      )
    }
    if (node.tagName === 'table' && parent && index !== undefined) {
      parent.children[index] = h('div', { className: ['table'], tabIndex: 0 }, [node])
      return [SKIP, index + 1]
    }
    return undefined
  })
}

const asCallout = (node: Element) => {
  const paragraph = node.children.find((child) => child.type === 'element')
  const text = paragraph?.children[0]
  if (text?.type !== 'text') return
  const match = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*/i.exec(text.value)
  if (!match) return
  text.value = text.value.slice(match[0].length)
  const word = match[1]!.toUpperCase()
  const title = h('p', { className: ['callout-title'] }, word[0]! + word.slice(1).toLowerCase())
  Object.assign(node, h('div', { className: ['callout', alerts[word]!], role: 'note' }, [title, ...node.children]))
}
