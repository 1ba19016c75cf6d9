import type { Element, ElementContent, Properties, Root } from 'hast'
import { toString } from 'hast-util-to-string'
import { h } from 'hastscript'
import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import { bundledLanguages } from 'shiki/langs'
import { walkTree } from '#markdown/walk-tree.ts'
import { readCodeBlock, type CodeBlock } from './code-meta.ts'
import type { Note } from '#markdown/page-notes.ts'
import { TookTooLong, runWithinTime } from '#markdown/limits/within-time.ts'

/** Longer code stays plain: colouring it takes seconds. Characters. */
const maxCodeLength = 60_000
/** Maximum languages per page; each costs time and memory. */
const maxLanguages = 40
/** Time limit for all code of one page. Generous, because a page without colours changes the bundle. Milliseconds. */
const colorTimeMs = 30_000
// A time limit would make the colours depend on the load of the machine.
const limits = { tokenizeMaxLineLength: 1_000, tokenizeTimeLimit: 0 }
const theme = createCssVariablesTheme({ name: 'docket', variablePrefix: '--' })

/** One-letter classes, because pages have thousands of tokens. The style sheet colours them. */
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

/** Languages of all pages so far, in order. The colours of embedded code depend on them. */
const planned = new Set<string>()

/** Loads these languages before the next code is coloured, so that a cached page does not change the colours of later pages. */
export const planLanguages = (names: readonly string[]): void => {
  for (const name of names) planned.add(name)
}

let highlighter: Promise<HighlighterCore> | null = null
const loadHighlighter = () =>
  (highlighter ??= createHighlighterCore({
    themes: [theme],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  }))

/** Turns code blocks into titled figures with coloured tokens. On a timeout, the code of the whole page stays plain. */
export const highlightCode = async (tree: Root, plan: typeof planLanguages, note: Note): Promise<void> => {
  const blocks: { pre: Element; id: Properties[string]; meta: string; block: CodeBlock }[] = []
  walkTree(tree, 'element', (pre) => {
    const code = pre.children.find((child) => child.type === 'element')
    if (pre.tagName !== 'pre' || code?.tagName !== 'code') return
    const [className] = Array.isArray(code.properties['className']) ? code.properties['className'] : []
    const name = String(className ?? '').replace(/^language-/, '')
    const meta = String(code.properties['dataMeta'] ?? '')
    const id = pre.properties['id'] ?? code.properties['id']
    blocks.push({ pre, id, meta, block: readCodeBlock(toString(code).replace(/\n$/, ''), name, meta) })
  })
  const colored = await colorBlocks(
    blocks.map(({ block }) => block),
    plan,
    note,
  )
  if (blocks.some(({ meta }) => /(?:^|\s)icon=/.test(meta))) note('left-out', 'the icons of code blocks')
  for (const [index, { pre, id, block }] of blocks.entries()) {
    const lines = markLines(colored[index]!, block)
    const caption = block.title ? [h('figcaption', block.title)] : []
    // Scrollable elements must be reachable by keyboard.
    const content = h('pre', { tabIndex: 0 }, [h('code', { dataLanguage: block.language || null }, lines)])
    Object.assign(pre, h('figure', { id, className: ['code', ...block.looks] }, [...caption, content]))
  }
}

type Piece = { text: string; kind: string }

const toPlainPieces = (code: string): Piece[] => [{ text: code, kind: '' }]

const colorBlocks = async (
  blocks: readonly CodeBlock[],
  plan: typeof planLanguages,
  note: Note,
): Promise<Piece[][]> => {
  const wanted = new Set(blocks.map(({ language }) => language).filter((name) => Object.hasOwn(bundledLanguages, name)))
  if (wanted.size === 0) return blocks.map(({ code }) => toPlainPieces(code))
  plan([...wanted].slice(0, maxLanguages))
  const shiki = await loadHighlighter()
  const loaded = new Set(shiki.getLoadedLanguages())
  for (const name of planned) {
    if (loaded.has(name)) continue
    await shiki.loadLanguage(bundledLanguages[name as keyof typeof bundledLanguages]).catch(() => undefined)
    forgetColors()
  }
  const languages = new Set(shiki.getLoadedLanguages())
  const long = blocks.filter(({ code, language }) => code.length > maxCodeLength && languages.has(language)).length
  if (long > 0) note('left-out', `the colours of code with more than ${maxCodeLength} characters (${long})`)
  try {
    return runWithinTime(
      () =>
        blocks.map((block) => (languages.has(block.language) ? readTokens(shiki, block) : toPlainPieces(block.code))),
      colorTimeMs,
    )
  } catch (error) {
    if (!(error instanceof TookTooLong)) throw error
    // An interrupted highlighter is in an undefined state, so it is replaced.
    highlighter = null
    planned.clear()
    forgetColors()
    note('left-out', `the colours of its code: ${error.message}`)
    return blocks.map(({ code }) => toPlainPieces(code))
  }
}

/** Cached colours by language and text, because versions of a page repeat code. The colours also depend on the loaded languages. */
const colors = new Map<string, Piece[]>()
/** Maximum size of code with cached colours. Characters. */
const maxKept = 1_000_000
let kept = 0

const forgetColors = () => {
  colors.clear()
  kept = 0
}

const readTokens = (shiki: HighlighterCore, block: CodeBlock): Piece[] => {
  const { code, language } = block
  if (code.length > maxCodeLength) return toPlainPieces(code)
  const key = `${language}\n${code}`
  const known = colors.get(key)
  if (known) return known
  const pieces = tokenize(shiki, block)
  kept += code.length
  if (kept > maxKept) forgetColors()
  colors.set(key, pieces)
  return pieces
}

const tokenize = (shiki: HighlighterCore, { code, language }: CodeBlock): Piece[] => {
  try {
    const lines = shiki.codeToTokensBase(code, { lang: language, theme: 'docket', ...limits })
    const pieces = lines.flatMap((line, index) => [...(index > 0 ? [{ content: '\n', color: '' }] : []), ...line])
    return pieces.map(({ content, color }) => ({
      text: content,
      kind: classes[/^var\(--(.+)\)$/.exec(color ?? '')?.[1] ?? ''] ?? '',
    }))
  } catch {
    return toPlainPieces(code)
  }
}

/** Wraps marked lines in elements. Other lines stay text, after an element for their number. */
const markLines = (pieces: readonly Piece[], { marks, looks }: CodeBlock): ElementContent[] => {
  const hasNumbers = looks.includes('lines')
  if (marks.size === 0 && !hasNumbers) return mergePieces(pieces)
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
    // The style sheet counts the lines, so that copied code has no numbers.
    const content = hasNumbers ? [h('span', { className: ['line-number'] }), ...mergePieces(line)] : mergePieces(line)
    return [...(mark ? [h('span', { className: ['line', mark] }, content)] : content), ...end]
  })
}

/** Merges neighbouring tokens of one colour; white space joins the token before it. */
const mergePieces = (pieces: readonly Piece[]): ElementContent[] => {
  const merged: Piece[] = []
  for (const piece of pieces) {
    const last = merged.at(-1)
    if (last && (last.kind === piece.kind || piece.text.trim() === '')) last.text += piece.text
    else merged.push({ ...piece })
  }
  return merged.map(({ text, kind }) => (kind ? h('span', { className: [kind] }, text) : { type: 'text', value: text }))
}
