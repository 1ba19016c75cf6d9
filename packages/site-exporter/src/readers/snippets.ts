import { posix } from 'node:path'
import { createCodeLineTest } from '#markdown/code/code-lines.ts'
import { readPageBody } from '#site/front-matter.ts'
import { limits } from '#site/limits.ts'
import { findCycle } from './includes.ts'
import type { PieceReader } from './piece-reader.ts'

const maxDepth = 4
/** Maximum indentation; deeper text would become code. Characters. */
const maxIndent = 40
/** Maximum length of the text of one use. Characters. */
const maxAttributes = 4_000
const imported = /^import\s+(?:([A-Z]\w*)|\{([^{}\n]+)\})\s+from\s+["']([^"'\n]+\.mdx?)["'];?[ \t]*$/gm
const constant =
  /^export\s+const\s+([A-Za-z_]\w*)\s*=\s*(?:"([^"\\\n]*)"|'([^'\\\n]*)'|`([^`\\$]*)`|(-?\d+(?:\.\d+)?));?[ \t]*$/gm
const attribute =
  /([A-Za-z_]\w*)\s*=\s*(?:"([^"]*)"|'([^']*)'|\{\s*(?:"([^"\\]*)"|'([^'\\]*)'|`([^`\\$]*)`|(-?\d+(?:\.\d+)?))\s*\})/g

/**
 * Inlines imported Markdown (`<Name word="x" />` with `{word}`) and constants as text. Runs nothing; keeps imports that would exceed the
 * page limit.
 */
export const includeSnippets = async (
  reader: PieceReader,
  file: string,
  body: string,
  within: readonly string[] = [],
): Promise<string> => {
  if (within.length >= maxDepth || !/^(?:import|export) /m.test(body)) return body
  let text = body
  const values = readConstants(body)
  for (const [line, name, names, from = ''] of body.matchAll(imported)) {
    const path = from.startsWith('/') ? posix.normalize(from).slice(1) : posix.join(posix.dirname(file), from)
    const cycle = findCycle([...within, file], path)
    if (cycle !== null) reader.addProblem(cycle)
    const content = cycle === null ? await reader.read(path, limits.pageBytes) : null
    if (!content) continue
    const inner = readPageBody(content)
    if (names !== undefined) {
      const exported = readConstants(inner)
      const wanted = names.split(',').map((entry) => entry.trim())
      for (const entry of wanted) if (exported.has(entry)) values.set(entry, exported.get(entry)!)
      if (wanted.every((entry) => exported.has(entry))) text = text.replace(line, '')
      continue
    }
    const piece = (await includeSnippets(reader, path, inner, [...within, file])).trim()
    text = insertPiece(text.replace(line, ''), name!, piece) ?? text
  }
  return fillValues(text, values, limits.pageBytes) ?? text
}

const insertPiece = (text: string, name: string, piece: string): string | null => {
  const use = new RegExp(`^([ \\t]*)<${name}(\\s(?:[^<>"']|"[^"]*"|'[^']*')*)?(?:/>|>\\s*</${name}>)`, 'gm')
  const lines = piece.split('\n').length
  const parts: string[] = []
  let [end, length] = [0, text.length]
  for (const match of text.matchAll(use)) {
    const [whole, space = '', attributes = ''] = match
    const indent = space.slice(0, maxIndent)
    const left = limits.pageBytes - length - lines * indent.length
    const filled = left < 0 ? null : fillValues(piece, readAttributes(attributes), left)
    if (filled === null) return null
    const insert = filled.replaceAll(/^(?=.)/gm, indent)
    length += insert.length
    if (length > limits.pageBytes) return null
    parts.push(text.slice(end, match.index), insert)
    end = match.index + whole.length
  }
  return parts.join('') + text.slice(end)
}

const readConstants = (body: string) => collectValues(body.matchAll(constant))

const readAttributes = (text: string) =>
  text.length > maxAttributes ? new Map<string, string>() : collectValues(text.matchAll(attribute))

const collectValues = (matches: Iterable<RegExpExecArray>) =>
  new Map([...matches].map(([, name = '', ...values]) => [name, values.find((value) => value !== undefined)!]))

const word = /(?<!=\s?)\{\s*(?:props\.)?([A-Za-z_]\w*)\s*\}/g

/** Replaces `{name}` and `{props.name}` outside code by escaped values. Null if the result exceeds `maxLength` characters. */
const fillValues = (text: string, values: ReadonlyMap<string, string>, maxLength: number): string | null => {
  if (text.length > maxLength) return null
  if (values.size === 0) return text
  const escaped = new Map([...values].map(([name, value]) => [name, value.replace(/[\\`*_{}[\]<>]/g, '\\$&')]))
  const isCodeLine = createCodeLineTest()
  let length = text.length
  const lines: string[] = []
  for (const line of text.split('\n')) {
    const isCode = isCodeLine(line)
    for (const [whole, name = ''] of isCode ? [] : line.matchAll(word))
      length += (escaped.get(name) ?? whole).length - whole.length
    if (length > maxLength) return null
    lines.push(isCode ? line : line.replace(word, (whole, name: string) => escaped.get(name) ?? whole))
  }
  return lines.join('\n')
}
