import type { Element, ElementContent, Root } from 'hast'
import { walkTree } from '#markdown/walk-tree.ts'
import { markAbbreviations } from './abbreviations.ts'
import { applyAttributes } from './attribute-lists.ts'
import type { Note } from '#markdown/page-notes.ts'
import { replaceMarks } from './inline-marks.ts'
import { openMaterial, renameFootnotes, replaceEmoji } from './material.ts'
import { unwrapPythonReferences } from './python-references.ts'

/** Applies what Python-Markdown writes into text, from attribute lists to emoji, and the class names of Material. */
export const finishMkdocs = (tree: Root, note: Note): void => {
  unwrapPythonReferences(tree, note)
  applyAttributes(tree)
  markAbbreviations(tree)
  replaceMarks(tree)
  replaceEmoji(tree)
  renameFootnotes(tree)
  openMaterial(tree)
  walkTree(tree, 'element', (node) => {
    if (node.tagName === 'dt') node.children = unwrapParagraph(node)
    if (node.tagName === 'img') markTheme(node)
  })
}

const unwrapParagraph = ({ children }: Element): ElementContent[] => {
  const pieces = children.filter((child) => child.type !== 'text' || child.value.trim() !== '')
  const [only] = pieces
  return pieces.length === 1 && only?.type === 'element' && only.tagName === 'p' ? only.children : children
}

/** `picture.png#only-light` is shown on light pages only. */
const markTheme = (node: Element) => {
  const source = String(node.properties['src'] ?? '')
  const [, path, theme] = /^(.*)#(?:only-|gh-)(light|dark)(?:-mode-only)?$/.exec(source) ?? []
  if (path === undefined) return
  node.properties['src'] = path
  node.properties['dataTheme'] = theme
}
