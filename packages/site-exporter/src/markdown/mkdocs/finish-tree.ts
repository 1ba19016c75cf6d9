import type { Element, ElementContent, Root } from 'hast'
import { unwrapParagraph } from '#markdown/components/component.ts'
import { walkTree } from '#markdown/walk-tree.ts'
import { applyAttributes } from './attribute-lists.ts'
import type { Note } from '#markdown/page-notes.ts'
import { mapNames } from '#site/data.ts'
import { convertMaterialElements, renameFootnotes, replaceEmoji, replaceTexts } from './material.ts'
import { toString } from 'hast-util-to-string'
import { h } from 'hastscript'

export const finishMkdocs = (tree: Root, note: Note): void => {
  unwrapPythonReferences(tree, note)
  applyAttributes(tree)
  markAbbreviations(tree)
  replaceMatches(tree, mark, toMarkElement)
  replaceEmoji(tree)
  renameFootnotes(tree)
  convertMaterialElements(tree)
  walkTree(tree, 'element', (node) => {
    if (node.tagName === 'dt') node.children = unwrapParagraph(node.children)
    if (node.tagName === 'img') markTheme(node)
  })
}

/** `picture.png#only-light` is shown on light pages only. */
const markTheme = (node: Element) => {
  const source = String(node.properties['src'] ?? '')
  const [, path, theme] = /^(.*)#(?:only-|gh-)(light|dark)(?:-mode-only)?$/.exec(source) ?? []
  if (path === undefined) return
  node.properties['src'] = path
  node.properties['dataTheme'] = theme
}

const definition = /^\*\[([^[\]\n]{1,100})\]:[ \t]*(.{1,500})$/
const maxAbbreviations = 500

/** Removes `*[HTML]: Hypertext …` and adds the explanation to each occurrence of the word. */
const markAbbreviations = (tree: Root): void => {
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
  const words = [...meanings.keys()].toSorted((a, b) => b.length - a.length).map((word) => escapePattern(word))
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])(${words.join('|')})(?![\\p{L}\\p{N}_])`, 'gu')
  replaceMatches(tree, pattern, (word) => [h('abbr', { title: meanings.get(word) ?? '' }, word)])
}

/** Replaces what the only group of a pattern finds in texts. */
const replaceMatches = (tree: Root, pattern: RegExp, toNodes: (found: string) => ElementContent[]): void =>
  replaceTexts(tree, (value) => {
    const parts = value.split(pattern)
    if (parts.length === 1) return null
    return parts.flatMap((part, index) => (index % 2 === 0 ? createTextNodes(part) : toNodes(part)))
  })

const escapePattern = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

const dotted = String.raw`\]\[((?:[A-Za-z_]\w{0,100}\.){1,20}\w{1,100})?\]`
/** `[text][package.Class]` and `[name][]`. */
const whole = new RegExp(String.raw`\[([^\][\n]{1,300})${dotted}`, 'g')
const [opening, closing] = [/\[([^\][]*)$/, new RegExp(`^([^\\][]*)${dotted}`)]

/** Unwraps references that Markdown has no definition for, because MkDocs makes their targets from Python code. */
const unwrapPythonReferences = (tree: Root, note: Note): void => {
  let isFound = false
  walkTree(tree, 'element', (node) => {
    if (/^(code|pre|script|style)$/.test(node.tagName)) return
    isFound = unwrapReferencesIn(node) || isFound
  })
  if (isFound) note('left-out', 'links to the reference of Python code, which its tool makes: their texts stay')
}

const unwrapReferencesIn = ({ children }: Element): boolean => {
  let isFound = false
  for (const [index, child] of children.entries()) {
    if (child.type !== 'text') continue
    const [before, element] = [children[index - 2], children[index - 1]]
    const end = closing.exec(child.value)
    const start = before?.type === 'text' && element?.type === 'element' ? opening.exec(before.value) : null
    const isName = end?.[2] !== undefined || (end?.[1] === '' && start?.[1] === '')
    if (before?.type === 'text' && start !== null && end !== null && isName) {
      isFound = true
      before.value = before.value.slice(0, start.index) + start[1]
      child.value = end[1] + child.value.slice(end[0].length)
    }
    const text = child.value.replace(whole, (reference, words: string, name: string | undefined) =>
      name !== undefined || /^[A-Za-z_][\w.]*$/.test(words) ? words : reference,
    )
    isFound ||= text !== child.value
    child.value = text
  }
  return isFound
}

const mark = /(\+\+[\w"-]{1,40}(?:\+[\w"-]{1,40}){0,6}\+\+|==(?=\S)[^=\n]{1,300}==|\^\^(?=\S)[^^\n]{1,300}\^\^)/

/** Labels of the keys whose label is not the capitalised key name. */
const keys = mapNames({
  Ctrl: 'control',
  Cmd: 'command',
  Del: 'delete',
  'Page Up': 'page-up',
  'Page Down': 'page-down',
  '↑': 'arrow-up up',
  '↓': 'arrow-down down',
  '←': 'arrow-left left',
  '→': 'arrow-right right',
  '+': 'plus',
})

const createTextNodes = (value: string): ElementContent[] => (value === '' ? [] : [{ type: 'text', value }])

/** Turns `++ctrl+k++` into keys, `==text==` into marked and `^^text^^` into inserted text. */
const toMarkElement = (part: string): ElementContent[] => {
  const inner = part.slice(2, -2)
  if (part.startsWith('==')) return [h('mark', inner)]
  if (part.startsWith('^^')) return [h('ins', inner)]
  return inner
    .split('+')
    .flatMap((key, index) => [...(index > 0 ? createTextNodes('+') : []), h('kbd', toKeyElement(key))])
}

const toKeyElement = (key: string) => {
  if (/^".*"$/.test(key)) return key.slice(1, -1)
  const name = key.toLowerCase()
  return keys.get(name) ?? name[0]!.toUpperCase() + name.slice(1)
}
