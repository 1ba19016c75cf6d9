import { createCodeLineTest } from '#markdown/code/code-lines.ts'

const definition = /^([ \t]*):[ \t]{1,3}(\S.*)$/
const maxDepth = 6
const maxTerms = 8

/** Turns a term and `:   meaning` lines with indented content into definition lists. Skips code. */
export const openDefinitions = (markdown: string): string =>
  /^[ \t]*:[ \t]/m.test(markdown) ? convertDefinitions(markdown.split('\n'), 0).join('\n') : markdown

const convertDefinitions = (lines: readonly string[], depth: number): string[] => {
  const isCode = createCodeLineTest()
  const out: string[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!
    const [, indent = '', first] = (isCode(line) || depth >= maxDepth ? null : definition.exec(line)) ?? []
    const isNext = first !== undefined && endsList(out)
    const terms = first === undefined || isNext ? [] : takeTerms(out, indent)
    if (first === undefined || (terms.length === 0 && !isNext)) {
      out.push(line)
      continue
    }
    const end = findEnd(lines, at + 1, indent)
    const inner = lines.slice(at + 1, end).map((text) => text.slice(indent.length).replace(/^(?: {1,4}|\t)/, ''))
    const meaning = convertDefinitions([first, ...inner], depth + 1).map((text) => (text === '' ? '' : indent + text))
    if (endsList(out)) out.splice(out.findLastIndex((text) => text.trim() === '</dl>'))
    else out.push('', `${indent}<dl>`)
    for (const term of terms) out.push(`${indent}<dt>`, '', term, '', `${indent}</dt>`)
    out.push(`${indent}<dd>`, '', ...meaning, '', `${indent}</dd>`, `${indent}</dl>`, '')
    at = end - 1
  }
  return out
}

const endsList = (out: readonly string[]) => out.findLast((text) => text.trim() !== '')?.trim() === '</dl>'

const takeTerms = (out: string[], indent: string): string[] => {
  const end = out.findLastIndex((text) => text.trim() !== '')
  // One blank line is allowed between a term and its meaning.
  if (end < 0 || out.length - end > 2) return []
  let start = end
  while (start > 0 && end - start < maxTerms && out[start - 1]!.trim() !== '') start--
  const terms = out.slice(start, end + 1)
  const isPlain = terms.every(
    (term) => term.startsWith(indent) && /^[^\s<#>|`~*+-]|^[`*]\S|^<!--/.test(term.slice(indent.length)),
  )
  if (!isPlain || terms.length > maxTerms) return []
  out.splice(start)
  return terms
}

const findEnd = (lines: readonly string[], from: number, indent: string) => {
  let end = from
  let wasBlank = false
  for (let at = from; at < lines.length; at++) {
    const line = lines[at]!
    if (line.trim() === '') wasBlank = true
    else if (
      line.startsWith(`${indent}    `) ||
      line.startsWith(`${indent}\t`) ||
      (!wasBlank && !definition.test(line))
    )
      end = at + 1
    else break
  }
  return end
}
