import type { Element, ElementContent, Root } from 'hast'
import { toString } from 'hast-util-to-string'
import { h } from 'hastscript'
import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import { bundledLanguages } from 'shiki/langs'
import { visit } from 'unist-util-visit'

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
    const language = String(className ?? '').replace(/^language-/, '')
    const title = titleOf(String(code.properties['dataMeta'] ?? ''))
    const lines = await tokens(toString(code).replace(/\n$/, ''), language)
    // Wide code scrolls, and what scrolls must be reachable by keyboard.
    const block = h('pre', { tabIndex: 0 }, [h('code', { dataLanguage: language || null }, lines)])
    Object.assign(pre, h('figure', { className: ['code'] }, [...(title ? [h('figcaption', title)] : []), block]))
  }
}

const tokens = async (code: string, language: string): Promise<ElementContent[]> => {
  const load = Object.hasOwn(bundledLanguages, language)
    ? bundledLanguages[language as keyof typeof bundledLanguages]
    : null
  if (!load || code.length > maxCodeLength) return [{ type: 'text', value: code }]
  const shiki = await open()
  try {
    if (!shiki.getLoadedLanguages().includes(language)) await shiki.loadLanguage(load)
    const lines = shiki.codeToTokensBase(code, { lang: language, theme: 'docket', ...limits })
    const pieces = lines.flatMap((line, index) => [...(index > 0 ? [{ content: '\n', color: '' }] : []), ...line])
    return merge(
      pieces.map(({ content, color }) => ({
        text: content,
        kind: classes[/^var\(--(.+)\)$/.exec(color ?? '')?.[1] ?? ''] ?? '',
      })),
    )
  } catch {
    return [{ type: 'text', value: code }]
  }
}

/** Neighbours of one colour become one element; white space takes the colour of what is before it. */
const merge = (pieces: readonly { text: string; kind: string }[]): ElementContent[] => {
  const merged: { text: string; kind: string }[] = []
  for (const piece of pieces) {
    const last = merged.at(-1)
    if (last && (last.kind === piece.kind || piece.text.trim() === '')) last.text += piece.text
    else merged.push({ ...piece })
  }
  return merged.map(({ text, kind }) => (kind ? h('span', { className: [kind] }, text) : { type: 'text', value: text }))
}

const flags = new Set([
  'lines',
  'wrap',
  'expandable',
  'twoslash',
  'copy',
  'nocopy',
  'showlinenumbers',
  'numbered',
  'diff',
  'live',
])

/** Title of a code block: `title="…"`, `[…]`, or the first bare words. */
const titleOf = (meta: string) => {
  const named = /(?:title|filename|file)=(?:"([^"]*)"|'([^']*)'|(\S+))/.exec(meta)?.slice(1).find(Boolean)
  if (named) return named
  const bracketed = /\[([^\]]+)\]/.exec(meta)?.[1]
  if (bracketed) return bracketed
  const words = meta
    .replace(/\{[^}]*\}|[\w-]+=("[^"]*"|'[^']*'|\{[^}]*\}|\S+)/g, ' ')
    .split(/\s+/)
    .filter((word) => word && !flags.has(word.toLowerCase()))
  return words.join(' ').slice(0, 80) || null
}
