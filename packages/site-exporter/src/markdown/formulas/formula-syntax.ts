import { mathFromMarkdown } from 'mdast-util-math'
import { math } from 'micromark-extension-math'
import type { Root } from 'mdast'
import type { Processor } from 'unified'
import { walkTree } from '#markdown/walk-tree.ts'
import { createCodeLineTest } from '#markdown/code/code-lines.ts'
import { mapLines, mapText } from '#markdown/map-lines.ts'

/** Formula notation of a site: none, dollar signs, or dollar signs as well as `\(` and `\)`. */
export type FormulaRule = 'none' | 'dollars' | 'tex'

/** Maximum length of a formula. Characters. */
export const maxFormula = 5_000
const maxLines = 200

type Construct = Extract<NonNullable<ReturnType<typeof math>['text']>[string], { tokenize: unknown }>
type Tokenizer = Construct['tokenize']

/** Reads formulas between dollar signs, and ignores prices and names of variables. */
export function addFormulaSyntax(this: Processor): void {
  const data = this.data()
  const { flow = {}, text = {} } = math()
  const dollar = text[36] as Construct
  ;(data.micromarkExtensions ??= []).push({
    flow,
    text: { 36: { ...dollar, tokenize: guardTokenizer(dollar.tokenize) } },
  })
  ;(data.fromMarkdownExtensions ??= []).push(mathFromMarkdown())
}

const guardTokenizer = (tokenize: Tokenizer): Tokenizer =>
  function (effects, ok, nok) {
    const start = this.now()
    const before = this.previous
    return tokenize.call(
      this,
      effects,
      (code) => (isFormula(this.sliceSerialize({ start, end: this.now() }), before, code) ? ok(code) : nok(code)),
      nok,
    )
  }

const isFormula = (source: string, before: number | null, after: number | null) => {
  if (source.length > maxFormula) return false
  if (source.startsWith('$$')) return true
  const content = source.slice(1, -1)
  if (/^`[^`]+`$/.test(content)) return true
  return !isWord(before) && !isWord(after) && /^\S(?:[^\n\r]*\S)?$/.test(content) && !notFormula.test(content)
}

/** Content that is not a formula: placeholders such as `${name}/$`, attributes, links and elements. */
const notFormula = /^\{[^}]|="|\]\(|<\/|\/>|\\$/

/** True for letters and digits of scripts with spaces between words. Negative codes are line endings. */
const isWord = (code: number | null) =>
  code !== null && code > 0 && letter.test(String.fromCodePoint(code)) && !unspaced.test(String.fromCodePoint(code))
const letter = /[\p{L}\p{N}]/u
/** Includes Korean, which has spaces, but none before its particles. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u

/** Marks inline formulas with two dollar signs, which are drawn on a line of their own. */
export const markFormulas = (tree: Root, source: string): void => {
  walkTree(tree, 'inlineMath', (node) => {
    const isDisplayed = source.startsWith('$$', node.position?.start.offset ?? source.length)
    const hProperties = { className: ['language-math'], ...(isDisplayed && { dataMeta: 'display' }) }
    node.data = { ...node.data, hProperties }
  })
  walkTree(tree, 'math', ({ data }) => {
    for (const code of data?.hChildren ?? [])
      if (code.type === 'element') code.properties['className'] = ['language-math']
  })
}

const opening = /^([ \t]*(?:>[ \t]?)*)\$\$(?!\$)(.*)$/

/** Puts each `$$` on a line of its own, and escapes one without an end, which would swallow the rest of the page. Skips code. */
export const openFormulas = (markdown: string, rule: FormulaRule): string => {
  if (rule === 'none') return markdown
  const source = rule === 'tex' ? replaceTexDelimiters(markdown) : markdown
  if (!source.includes('$$')) return source
  const lines = source.split('\n')
  const isCode = createCodeLineTest()
  const out: string[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!
    const found = isCode(line) ? null : opening.exec(line)
    if (!found) {
      out.push(line)
      continue
    }
    const [, indent = '', rest = ''] = found
    const end = findEnd(lines, at, rest)
    if (end === null) {
      out.push(/\$\$/.test(rest) ? line : line.replace('$$', String.raw`\$\$`))
      continue
    }
    const inner =
      end === at ? [rest.trimEnd().slice(0, -2)] : [rest, ...lines.slice(at + 1, end), removeEndMark(lines[end]!)]
    const content = inner.map((text, index) => (index === 0 ? indent + text.trim() : text)).filter(hasText)
    // A code fence between the dollar signs would make the next lines look like code.
    for (const text of lines.slice(at + 1, end + 1)) isCode(text)
    out.push(`${indent}$$`, ...content, `${indent}$$`)
    at = end
  }
  return out.join('\n')
}

const hasText = (line: string) => /[^\s>]/.test(line)
const removeEndMark = (line: string) => line.trimEnd().slice(0, -2)

/** Line that ends the formula; null if there is none before a blank line, or if text follows on that line. */
const findEnd = (lines: readonly string[], from: number, rest: string): number | null => {
  if (/\$\$/.test(rest)) return /^[^$]+\$\$\s*$/.test(rest) ? from : null
  for (let at = from + 1; at < Math.min(lines.length, from + maxLines); at++) {
    const line = lines[at]!.trimEnd()
    if (line.endsWith('$$')) return at
    if (line.includes('$$')) return null
  }
  return null
}

/** Replaces `\(…\)` and `\[…\]` outside code. */
const replaceTexDelimiters = (markdown: string) => mapLines(markdown, (line) => mapText(line, wrapInDollars))

const wrapInDollars = (text: string) =>
  text
    .replace(/\\{1,2}\((?=\S| )([^`\n]{1,2000}?)\\{1,2}\)/g, (_, tex: string) => `$\`${tex.trim()}\`$`)
    .replace(/^([ \t]*)\\{1,2}[[\]][ \t]*$/, '$1$$$$')
    .replace(/^([ \t]*)\\{1,2}\[(.{1,2000})\\{1,2}\][ \t]*$/, (_, indent: string, tex: string) => `${indent}$$${tex}$$`)
