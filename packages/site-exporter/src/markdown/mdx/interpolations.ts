import type { Element, Root, Text } from 'hast'
import { h } from 'hastscript'
import { SKIP, visit } from 'unist-util-visit'
import { readLiteral } from './mdx-elements.ts'
import type { Note } from '#markdown/page-notes.ts'

const interpolation = /\{\{([^{}]{1,500})\}\}/g

/**
 * Replaces VitePress `{{ … }}` outside code: literals and the page title by their text, others by a remark. Evaluates
 * nothing.
 */
export const replaceInterpolations = (tree: Root, title: string, note: Note): void => {
  visit(tree, (node, index, parent) => {
    if (node.type === 'element' && (node.tagName === 'pre' || node.tagName === 'code')) return SKIP
    if (node.type !== 'text' || !parent || index === undefined || !node.value.includes('{{')) return undefined
    const pieces = node.value.split(interpolation).flatMap((piece, at): (Text | Element)[] => {
      if (at % 2 === 0) return piece === '' ? [] : [toTextNode(piece)]
      const source = piece.trim()
      const literal = source === '$frontmatter.title' ? title : readLiteral(source)
      if (literal !== undefined) return [toTextNode(String(literal))]
      note('left-out', `an expression: {{ ${source.slice(0, 80)} }}`)
      return [h('not-here-inline')]
    })
    parent.children.splice(index, 1, ...pieces)
    return [SKIP, index + pieces.length]
  })
}

const toTextNode = (value: string): Text => ({ type: 'text', value })
