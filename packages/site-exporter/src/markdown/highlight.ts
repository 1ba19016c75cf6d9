import type { Element, ElementContent, Root } from 'hast'
import { toString } from 'hast-util-to-string'
import { h } from 'hastscript'
import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import { bundledLanguages } from 'shiki/langs'
import { visit } from 'unist-util-visit'
import { readCodeBlock, type CodeBlock } from './code-meta.ts'
import { TookTooLong, withinTime } from './within-time.ts'

const maxCodeLength = 60_000
/** Languages of one page; each takes time and memory to be loaded. */
const maxLanguages = 40
/** Longest time for all code of one page, far more than any real one takes on a busy machine: without colours the bundle is another one. */
const colorTimeMs = 30_000
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

/**
 * Turns code blocks into titled figures with coloured tokens. Languages are loaded when the first block needs them. Code that the
 * highlighter does not get done with stays without colours, on the whole page.
 */
export const highlightCode = async (tree: Root): Promise<void> => {
  const blocks: { pre: Element; block: CodeBlock }[] = []
  visit(tree, 'element', (pre) => {
    const code = pre.children.find((child) => child.type === 'element')
    if (pre.tagName !== 'pre' || code?.tagName !== 'code') return
    const [className] = Array.isArray(code.properties['className']) ? code.properties['className'] : []
    const name = String(className ?? '').replace(/^language-/, '')
    const meta = String(code.properties['dataMeta'] ?? '')
    blocks.push({ pre, block: readCodeBlock(toString(code).replace(/\n$/, ''), name, meta) })
  })
  const colored = await coloredBlocks(blocks.map(({ block }) => block))
  for (const [index, { pre, block }] of blocks.entries()) {
    const lines = markLines(colored[index]!, block.marks)
    const caption = block.title ? [h('figcaption', block.title)] : []
    // Wide code scrolls, and what scrolls must be reachable by keyboard.
    const content = h('pre', { tabIndex: 0 }, [h('code', { dataLanguage: block.language || null }, lines)])
    Object.assign(pre, h('figure', { className: ['code'] }, [...caption, content]))
  }
}

/** A piece of text with its colour; none for plain text. */
type Piece = { text: string; kind: string }

const plain = (code: string): Piece[] => [{ text: code, kind: '' }]

const coloredBlocks = async (blocks: readonly CodeBlock[]): Promise<Piece[][]> => {
  const wanted = new Set(blocks.map(({ language }) => language).filter((name) => Object.hasOwn(bundledLanguages, name)))
  if (wanted.size === 0) return blocks.map(({ code }) => plain(code))
  const shiki = await open()
  const loaded = new Set(shiki.getLoadedLanguages())
  for (const name of [...wanted].slice(0, maxLanguages)) {
    if (loaded.has(name)) continue
    // Without the language its code stays as it is.
    await shiki.loadLanguage(bundledLanguages[name as keyof typeof bundledLanguages]).catch(() => undefined)
  }
  const languages = new Set(shiki.getLoadedLanguages())
  try {
    return withinTime(
      () => blocks.map((block) => (languages.has(block.language) ? tokens(shiki, block) : plain(block.code))),
      colorTimeMs,
    )
  } catch (error) {
    if (!(error instanceof TookTooLong)) throw error
    // It was stopped in the middle of something.
    highlighter = null
    return blocks.map(({ code }) => plain(code))
  }
}

const tokens = (shiki: HighlighterCore, { code, language }: CodeBlock): Piece[] => {
  if (code.length > maxCodeLength) return plain(code)
  try {
    const lines = shiki.codeToTokensBase(code, { lang: language, theme: 'docket', ...limits })
    const pieces = lines.flatMap((line, index) => [...(index > 0 ? [{ content: '\n', color: '' }] : []), ...line])
    return pieces.map(({ content, color }) => ({
      text: content,
      kind: classes[/^var\(--(.+)\)$/.exec(color ?? '')?.[1] ?? ''] ?? '',
    }))
  } catch {
    return plain(code)
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
