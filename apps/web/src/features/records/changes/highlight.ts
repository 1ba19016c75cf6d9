import { createCssVariablesTheme, createHighlighterCore, type GrammarState, type LanguageInput } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'

/** Part of a line with the classes of its colour; `''` for plain text. */
export type Segment = { text: string; look: string }

/** Grammars by the endings of paths. Each is loaded with the first file that needs it. */
const grammars: readonly (readonly [RegExp, string, LanguageInput])[] = [
  [/\.(?:md|markdown)$/i, 'markdown', () => import('shiki/langs/markdown.mjs')],
  [/\.mdx$/i, 'mdx', () => import('shiki/langs/mdx.mjs')],
  [/\.jsonc?$/i, 'jsonc', () => import('shiki/langs/jsonc.mjs')],
  [/\.ya?ml$/i, 'yaml', () => import('shiki/langs/yaml.mjs')],
  [/\.[cm]?[jt]sx?$/i, 'tsx', () => import('shiki/langs/tsx.mjs')],
  [/\.css$/i, 'css', () => import('shiki/langs/css.mjs')],
  [/\.(?:html?|vue)$/i, 'html', () => import('shiki/langs/html.mjs')],
]

const looks: Readonly<Record<string, string>> = {
  'var(--token-keyword)': 'text-mark-violet',
  'var(--token-function)': 'text-mark-violet',
  'var(--token-string)': 'text-accent',
  'var(--token-string-expression)': 'text-accent',
  'var(--token-link)': 'text-accent',
  'var(--token-constant)': 'text-attention',
  'var(--token-parameter)': 'text-attention',
  'var(--token-comment)': 'text-muted',
}

const theme = createCssVariablesTheme({ name: 'docket', variablePrefix: '--' })

/** Limits for texts that are slow to colour. Text beyond them stays plain. */
const limits = { tokenizeMaxLineLength: 1000, tokenizeTimeLimit: 50 }
const linesPerStep = 20
const maxMs = 300

const highlighter = createHighlighterCore({
  themes: [theme],
  langs: [],
  engine: createJavaScriptRegexEngine({ forgiving: true }),
})

/** Colours the first lines of a text by its file extension, for at most 0.3 s. Returns none for unknown languages. */
export const highlightLines = async (path: string, lines: readonly string[]): Promise<Segment[][]> => {
  const [, lang, load] = grammars.find(([ending]) => ending.test(path)) ?? []
  if (lang === undefined || load === undefined) return []
  const shiki = await highlighter
  await shiki.loadLanguage(load)
  const coloured: Segment[][] = []
  const endsAt = performance.now() + maxMs
  let grammarState: GrammarState | undefined
  while (coloured.length < lines.length && performance.now() < endsAt) {
    const step = lines.slice(coloured.length, coloured.length + linesPerStep)
    const { tokens, grammarState: state } = shiki.codeToTokens(step.join('\n'), {
      lang,
      theme,
      ...limits,
      ...(grammarState && { grammarState }),
    })
    grammarState = state
    coloured.push(
      ...tokens.map((line) => line.map(({ content, color = '' }) => ({ text: content, look: looks[color] ?? '' }))),
    )
  }
  return coloured
}
