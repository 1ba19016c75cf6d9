import { hash } from 'node:crypto'
import type { Element, ElementContent, Properties, Root } from 'hast'
import { toString } from 'hast-util-to-string'
import { h } from 'hastscript'
import { LRUCache } from 'lru-cache'
import type { DynamicImportLanguageRegistration, HighlighterCore } from 'shiki/core'
import type { BundledLanguage } from 'shiki/langs'
import { walkTree } from '#markdown/walk-tree.ts'
import { readCodeBlock, type CodeBlock } from './code-meta.ts'
import { mapNames } from '#site/data.ts'
import type { Words } from '#site/words.ts'
import type { Note } from '#markdown/page-notes.ts'
import { TookTooLong, runWithinTime } from '@docket/sources/within-time'

/** Longer code stays plain: colouring it takes seconds. Characters. */
const maxCodeLength = 60_000
/** Maximum languages per page; each costs time and memory. */
const maxLanguages = 40
/** Time limit for all code of one page. Generous, because a page without colours changes the bundle. Milliseconds. */
const colorTimeMs = 30_000
// A time limit would make the colours depend on the load of the machine.
const limits = { tokenizeMaxLineLength: 1_000, tokenizeTimeLimit: 0 }

/** One-letter classes, because pages have thousands of tokens. The style sheet colours them. */
const classes = mapNames({
  c: 'token-comment',
  k: 'token-keyword',
  s: 'token-string token-string-expression token-link',
  n: 'token-constant',
  f: 'token-function',
  p: 'token-parameter',
  o: 'token-punctuation',
})

/** Colours of code blocks by a digest of language and text: classes and lengths of the tokens, such as `k5 1 s3`. Empty for plain code. */
export type Colors = Map<string, string>

/** Colours of earlier pages, because versions of a page repeat code. */
const recentColors = new LRUCache<string, string>({
  maxSize: 8_000_000,
  sizeCalculation: (found, key) => found.length + key.length,
})

/** Highlighters by language. Each knows one language with those that it embeds, so that its colours depend on nothing else. */
const highlighters = new LRUCache<string, HighlighterCore>({ max: maxLanguages })

/**
 * Turns code blocks into titled figures with coloured tokens. On a timeout, the code of the whole page stays plain. Uses the colours in
 * `colors`, and replaces them by those of this page.
 */
export const highlightCode = async (
  tree: Root,
  colors: Colors,
  note: Note,
  { content: { mermaid, math } }: Words,
): Promise<void> => {
  const blocks: { pre: Element; id: Properties[string]; meta: string; block: CodeBlock }[] = []
  walkTree(tree, 'element', (pre) => {
    const code = pre.children.find((child) => child.type === 'element')
    if (pre.tagName !== 'pre' || code?.tagName !== 'code') return
    const [className] = Array.isArray(code.properties['className']) ? code.properties['className'] : []
    const name = String(className ?? '').replace(/^language-/, '')
    const meta = String(code.properties['dataMeta'] ?? '')
    const id = pre.properties['id'] ?? code.properties['id']
    blocks.push({
      pre,
      id,
      meta,
      block: readCodeBlock(toString(code).replace(/\n$/, ''), name, meta, { mermaid, math }),
    })
  })
  const colored = await colorBlocks(
    blocks.map(({ block }) => block),
    colors,
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

const colorBlocks = async (blocks: readonly CodeBlock[], colors: Colors, note: Note): Promise<Piece[][]> => {
  const named = blocks.filter(({ language }) => language !== '')
  const names = [...new Set(named.map(({ language }) => language))]
  if (names.length > maxLanguages)
    note('left-out', `the colours of code in all but the first ${maxLanguages} languages`)
  const allowed = new Set(names.slice(0, maxLanguages))
  const short = named.filter(({ code, language }) => code.length <= maxCodeLength && allowed.has(language))
  const known = new Map<string, string>()
  const missing = new Map<string, CodeBlock>()
  for (const block of short) {
    const key = toColorKey(block)
    const found = colors.get(key) ?? recentColors.get(key)
    if (found === undefined) missing.set(key, block)
    else known.set(key, found)
  }
  if (missing.size > 0 || short.length < named.length) {
    // Slow to load, and pages with known colours don't need it.
    const { bundledLanguages } = await import('shiki/langs')
    const isKnown = ({ language }: CodeBlock) => Object.hasOwn(bundledLanguages, language)
    const long = named.filter((block) => block.code.length > maxCodeLength && isKnown(block)).length
    if (long > 0) note('left-out', `the colours of code with more than ${maxCodeLength} characters (${long})`)
    const used = new Map<string, HighlighterCore>()
    for (const { language } of [...missing.values()].filter(isKnown))
      if (!used.has(language)) used.set(language, await loadHighlighter(bundledLanguages[language as BundledLanguage]))
    try {
      const tokenizeAll = () => {
        for (const [key, block] of missing) known.set(key, tokenize(used.get(block.language), block))
      }
      if (used.size > 0) runWithinTime(tokenizeAll, colorTimeMs)
    } catch (error) {
      if (!(error instanceof TookTooLong)) throw error
      // An interrupted highlighter is in an undefined state, so it is replaced.
      highlighters.clear()
      known.clear()
      note('left-out', `the colours of its code: ${error.message}`)
    }
  }
  colors.clear()
  for (const [key, found] of known) {
    colors.set(key, found)
    recentColors.set(key, found)
  }
  return blocks.map((block) => toPieces(block.code, known.get(toColorKey(block))))
}

const toColorKey = ({ language, code }: CodeBlock) => hash('sha256', `${language}\n${code}`, 'base64url')

const loadHighlighter = async (load: DynamicImportLanguageRegistration): Promise<HighlighterCore> => {
  const { default: langs } = await load()
  const { name } = langs.at(-1)!
  const known = highlighters.get(name)
  if (known) return known
  const { createHighlighterCore, createCssVariablesTheme } = await import('shiki/core')
  const { createJavaScriptRegexEngine } = await import('shiki/engine/javascript')
  const engine = createJavaScriptRegexEngine({ forgiving: true })
  const theme = createCssVariablesTheme({ name: 'docket', variablePrefix: '--' })
  const loaded = await createHighlighterCore({ themes: [theme], langs, engine, warnings: false })
  highlighters.set(name, loaded)
  return loaded
}

const tokenize = (shiki: HighlighterCore | undefined, { code, language }: CodeBlock): string => {
  try {
    const lines = shiki?.codeToTokensBase(code, { lang: language, theme: 'docket', ...limits }) ?? []
    const tokens = lines.flatMap((line, index) => [...(index > 0 ? [{ content: '\n', color: '' }] : []), ...line])
    return tokens
      .map(({ content, color }) => (classes.get(/^var\(--(.+)\)$/.exec(color ?? '')?.[1] ?? '') ?? '') + content.length)
      .join(' ')
  } catch {
    return ''
  }
}

const toPieces = (code: string, colors = ''): Piece[] => {
  if (colors === '') return [{ text: code, kind: '' }]
  // Tokens have no carriage returns.
  const text = code.replaceAll('\r\n', '\n')
  let end = 0
  return colors.split(' ').map((token) => {
    const kind = /^[a-z]?/.exec(token)![0]
    const start = end
    end += Number(token.slice(kind.length))
    return { text: text.slice(start, end), kind }
  })
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
