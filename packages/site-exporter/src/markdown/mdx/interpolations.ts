import type { Element, Root, Text } from 'hast'
import { h } from 'hastscript'
import { SKIP, walkTree } from '#markdown/walk-tree.ts'
import { readExpression } from '@docket/mdx-language/read-literals'
import type { Value } from '@docket/mdx-language/values'
import type { Note } from '#markdown/page-notes.ts'

const interpolation = /\{\{([^{}]{1,500})\}\}/g

/** Replaces VitePress `{{ … }}` outside code by the text of the expression, or by a remark. */
export const replaceInterpolations = (tree: Root, title: string, note: Note): void => {
  const names = new Map<string, Value>([['$frontmatter', new Map([['title', title]])]])
  walkTree(tree, (node, index, parent) => {
    if (node.type === 'element' && (node.tagName === 'pre' || node.tagName === 'code')) return SKIP
    if (node.type !== 'text' || !parent || index === undefined || !node.value.includes('{{')) return undefined
    const pieces = node.value.split(interpolation).flatMap((piece, at): (Text | Element)[] => {
      if (at % 2 === 0) return piece === '' ? [] : [toTextNode(piece)]
      const value = readExpression(piece.trim(), names)
      if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
        return [toTextNode(String(value))]
      note('left-out', `an expression: {{ ${piece.trim().slice(0, 80)} }}`)
      return [h('not-here-inline')]
    })
    parent.children.splice(index, 1, ...pieces)
    return [SKIP, index + pieces.length]
  })
}

const toTextNode = (value: string): Text => ({ type: 'text', value })
