import { createCodeLineTest } from '#markdown/code/code-lines.ts'
import { mapLines, mapText } from '#markdown/map-lines.ts'
import { measureCost } from '#markdown/limits/page-cost.ts'
import type { Note } from '#markdown/page-notes.ts'

const maxMistakes = 16
const maxCost = 300_000

const voidElement = /<(br|hr|img|input|wbr|source)(?![\w.:-])([^<>]*)>/gi

/** Rewrites comments, `{#id}`, autolinks and void elements so that MDX accepts them. Skips code. */
export const repairMdx = (source: string): string =>
  mapLines(removeComments(source, 'html'), (line) => mapText(line, repairText))

const code = /(^[ \t]*(`{3,}(?!`)|~{3,}(?!~))[\s\S]*?(?:^[ \t]*\2|$(?![\s\S])))/.source
const comments = {
  html: { end: '-->', codeOrComment: new RegExp(`${code}|<!--[\\s\\S]*?-->`, 'gm') },
  jsx: { end: '*/}', codeOrComment: new RegExp(`${code}|\\{/\\*[\\s\\S]*?\\*/\\}`, 'gm') },
}

/** Drops comments outside code. Searches only up to the last end of a comment, because every opening without an end would scan the rest of the page. */
export const removeComments = (source: string, notation: keyof typeof comments): string => {
  const { end, codeOrComment } = comments[notation]
  const from = source.includes(end) ? source.lastIndexOf(end) + end.length : 0
  return source.slice(0, from).replace(codeOrComment, '$1') + source.slice(from)
}

const repairText = (text: string) =>
  text
    .replace(/\{(?=#[^{}\s]+\}\s*$)/, '\\{')
    .replace(/<(https?:\/\/[^\s<>]+)>/g, '[$1]($1)')
    .replace(/<([\w.+-]+@[\w.-]+)>/g, '[$1](mailto:$1)')
    .replace(voidElement, (whole, name: string, attributes: string) =>
      attributes.endsWith('/') ? whole : `<${name}${attributes.trimEnd()} />`,
    )

type Mistake = Error & { line?: number; column?: number; reason?: string }

/** Parses MDX and turns each mistake into text, so the rest of the page stays as it is. Returns the last error when there are too many. */
export const parseAroundMistakes = <T>(source: string, parse: (text: string) => T | Error, note: Note): T | Error => {
  const lines = source.split('\n')
  const attempts = Math.min(maxMistakes, Math.floor(maxCost / (1 + measureCost(source))))
  const tried = new Set<string>()
  const remarks: string[] = []
  let parsed = parse(source)
  for (let attempt = 0; attempt < attempts && parsed instanceof Error; attempt++) {
    const mistake: Mistake = parsed
    const at = findPlace(lines, mistake)
    if (at === null) return parsed
    const isAgain = tried.has(`${at.line}`)
    tried.add(`${at.line}`)
    const before = lines[at.line - 1]!
    if (isAgain) escapeBlock(lines, at.line, /[<{}]/g)
    else if (at.kind === 'brace') escapeBlock(lines, at.line, /[{}]/g)
    else lines[at.line - 1] = removeTag(before, at.column)
    remarks.push(`${before.trim().slice(0, 60)}: ${(mistake.reason ?? mistake.message).split('\n')[0]!.slice(0, 160)}`)
    parsed = parse(lines.join('\n'))
  }
  if (!(parsed instanceof Error))
    for (const remark of remarks) note('not-understood', `not valid MDX, shown as text: ${remark}`)
  return parsed
}

type Place = { kind: 'brace' | 'tag'; line: number; column: number }

const findPlace = (
  lines: readonly string[],
  { line, column = 1, message, reason = message }: Mistake,
): Place | null => {
  if (line === undefined || line < 1) return null
  const [, openLine, openColumn] = /closing tag for `<[^`]*>` \((\d+):(\d+)/.exec(reason) ?? []
  if (openLine !== undefined) return { kind: 'tag', line: Number(openLine), column: Number(openColumn) }
  if (/expression|brace|acorn/i.test(reason)) {
    const unclosed = /end of file/.test(reason) ? findUnclosed(lines) : null
    return { kind: 'brace', line: unclosed ?? Math.min(line, lines.length), column: 1 }
  }
  return { kind: 'tag', line: Math.min(line, lines.length), column }
}

const findUnclosed = (lines: readonly string[]): number | null => {
  const isCode = createCodeLineTest()
  const open: number[] = []
  for (const [index, line] of lines.entries()) {
    if (isCode(line)) continue
    for (const [brace] of line.replace(/`+[^`]*`+/g, '').matchAll(/(?<!\\)[{}]/g))
      if (brace === '{') open.push(index + 1)
      else open.pop()
  }
  return open[0] ?? null
}

/** Escapes special characters in the lines around `line` up to the nearest blank lines, except in inline code. */
const escapeBlock = (lines: string[], line: number, marks: RegExp) => {
  const isBlank = (index: number) => (lines[index] ?? '').trim() === ''
  let [first, last] = [line - 1, line - 1]
  while (first > 0 && !isBlank(first - 1)) first--
  while (last < lines.length - 1 && !isBlank(last + 1)) last++
  for (let index = first; index <= last; index++)
    lines[index] = mapText(lines[index]!, (text) => escapeMarks(text, marks))
}

const escapeMarks = (text: string, marks: RegExp) =>
  text.replace(marks, (mark, at: number) => (text[at - 1] === '\\' ? mark : `\\${mark}`))

/** Turns the tag at or before a column into text. A tag without attributes has no text and is removed. */
const removeTag = (line: string, column: number): string => {
  const start = line.lastIndexOf('<', Math.max(0, column - 1))
  const at = start < 0 ? line.indexOf('<') : start
  if (at < 0) return escapeMarks(line, /[<{}]/g)
  const bare = /^<\/?[A-Za-z][\w.:-]*\s*\/?>/.exec(line.slice(at))
  return bare ? line.slice(0, at) + line.slice(at + bare[0].length) : `${line.slice(0, at)}\\${line.slice(at)}`
}
