import type { ElementContent, Root } from 'hast'
import { toString } from 'hast-util-to-string'
import { h } from 'hastscript'
import { walkTree } from '#markdown/walk-tree.ts'
import { replaceTexts } from './replace-texts.ts'

const definition = /^\*\[([^[\]\n]{1,100})\]:[ \t]*(.{1,500})$/
const maxAbbreviations = 500

/** Removes `*[HTML]: Hypertext …` and explains the word wherever it stands. */
export const markAbbreviations = (tree: Root): void => {
  const meanings = new Map<string, string>()
  walkTree(tree, 'element', (node, index, parent) => {
    if (node.tagName !== 'p' || !parent || index === undefined) return undefined
    const text = toString(node)
    if (!text.startsWith('*[')) return undefined
    const found = text.split('\n').map((line) => definition.exec(line.trim()))
    if (!found.every((match) => match !== null)) return undefined
    for (const [, word = '', meaning = ''] of found)
      if (meanings.size < maxAbbreviations) meanings.set(word, meaning.trim())
    parent.children.splice(index, 1)
    return index
  })
  if (meanings.size === 0) return
  const words = [...meanings.keys()].toSorted((a, b) => b.length - a.length).map((word) => escape(word))
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])(${words.join('|')})(?![\\p{L}\\p{N}_])`, 'gu')
  replaceTexts(tree, (value) => {
    const parts = value.split(pattern)
    return parts.length === 1
      ? null
      : parts.flatMap((part, index): ElementContent[] => {
          if (part === '') return []
          return [
            index % 2 === 0 ? { type: 'text', value: part } : h('abbr', { title: meanings.get(part) ?? '' }, part),
          ]
        })
  })
}

const escape = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
