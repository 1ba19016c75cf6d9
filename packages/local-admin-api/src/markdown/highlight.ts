import type { Element, ElementContent, Root } from 'hast'
import { toString } from 'hast-util-to-string'
import { h } from 'hastscript'
import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import { bundledLanguages } from 'shiki/langs'
import { visit } from 'unist-util-visit'
import { readCodeBlock, type CodeBlock } from '#markdown/code-meta.ts'

const maxCodeLength = 60_000
// No time limit: on a busy machine it would colour the same code differently, and the bundle would be another one.
const limits = { tokenizeMaxLineLength: 1_000, tokenizeTimeLimit: 0 }
const theme = createCssVariablesTheme({ name: 'docket', variablePrefix: '--' })

/** One letter a kind of token: pages hold thousands of them. The style sheet gives them colours. */
const classes: Readonly<Record<string, string>> = {
  'token-comment': 'c',
  'token-keyword': 'k',
  'token-string': 's',
  'token-string-expression': 's',
  'token-constant': 'n',
  'token-function': 'f',
  'token-parameter': 'p',
  'token-punctuation': 'o',
  'token-link': 's',
}

let highlighter: Promise<HighlighterCore> | null = null
const open = () =>
  (highlighter ??= createHighlighterCore({
    themes: [theme],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  }))

/** Turns code blocks into titled figures with coloured tokens. Languages are loaded when the first block needs them. */
export const highlightCode = async (tree: Root): Promise<void> => {
  const blocks: { pre: Element; code: Element }[] = []
  visit(tree, 'element', (pre) => {
    const code = pre.children.find((child) => child.type === 'element')
    if (pre.tagName === 'pre' && code?.tagName === 'code') blocks.push({ pre, code })
  })
  for (const { pre, code } of blocks) {
    const [className] = Array.isArray(code.properties['className']) ? code.properties['className'] : []
    const name = String(className ?? '').replace(/^language-/, '')
    const block = readCodeBlock(toString(code).replace(/\n$/, ''), name, String(code.properties['dataMeta'] ?? ''))
    const lines = markLines(await tokens(block.code, block.language), block.marks)
    const caption = block.title ? [h('figcaption', block.title)] : []
    // Wide code scrolls, and what scrolls must be reachable by keyboard.
    const shown = h('pre', { tabIndex: 0 }, [h('code', { dataLanguage: block.language || null }, lines)])
    Object.assign(pre, h('figure', { className: ['code'] }, [...caption, shown]))
  }
}

/** A piece of text with its colour; none for plain text. */
type Piece = { text: string; kind: string }

const tokens = async (code: string, language: string): Promise<Piece[]> => {
  const plain = [{ text: code, kind: '' }]
  const load = Object.hasOwn(bundledLanguages, language)
    ? bundledLanguages[language as keyof typeof bundledLanguages]
    : null
  if (!load || code.length > maxCodeLength) return plain
  const shiki = await open()
  try {
    if (!shiki.getLoadedLanguages().includes(language)) await shiki.loadLanguage(load)
    const lines = shiki.codeToTokensBase(code, { lang: language, theme: 'docket', ...limits })
    const pieces = lines.flatMap((line, index) => [...(index > 0 ? [{ content: '\n', color: '' }] : []), ...line])
    return pieces.map(({ content, color }) => ({
      text: content,
      kind: classes[/^var\(--(.+)\)$/.exec(color ?? '')?.[1] ?? ''] ?? '',
    }))
  } catch {
    return plain
  }
}

/** Lines that something is said about become elements of their own; all others stay text. */
const markLines = (pieces: readonly Piece[], marks: CodeBlock['marks']): ElementContent[] => {
  if (marks.size === 0) return merge(pieces)
  const lines: Piece[][] = [[]]
  for (const { text, kind } of pieces) {
    text.split('\n').forEach((part, index) => {
      if (index > 0) lines.push([])
      if (part) lines.at(-1)!.push({ text: part, kind })
    })
  }
  return lines.flatMap((line, index): ElementContent[] => {
    const mark = marks.get(index + 1)
    const end: ElementContent[] = index < lines.length - 1 ? [{ type: 'text', value: '\n' }] : []
    return [...(mark ? [h('span', { className: ['line', mark] }, merge(line))] : merge(line)), ...end]
  })
}

/** Neighbours of one colour become one element; white space takes the colour of what is before it. */
const merge = (pieces: readonly Piece[]): ElementContent[] => {
  const merged: Piece[] = []
  for (const piece of pieces) {
    const last = merged.at(-1)
    if (last && (last.kind === piece.kind || piece.text.trim() === '')) last.text += piece.text
    else merged.push({ ...piece })
  }
  return merged.map(({ text, kind }) => (kind ? h('span', { className: [kind] }, text) : { type: 'text', value: text }))
}
