import { codeLines } from '#markdown/code/code-lines.ts'
import { measureCost } from './page-cost.ts'

/** Parts of one page. A larger page is not parsed. */
export const maxParts = 25
/** Parse cost of a part that ends at the next boundary. */
const wanted = 10_000
/** Definitions that every part repeats. */
const maxDefinitions = 200

const definition = /^ {0,3}\[[^\]^][^\]]{0,200}\]:[ \t]*\S/
const footnote = /^ {0,3}\[\^[^\]]+\]:/m
const tag = /<(\/?)([A-Za-z][\w.:-]*)((?:"[^"]*"|'[^']*'|[^<>"'])*)>/g
const voidElement = /^(area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i
const inlineCode = /`+[^`]*`+/g

/**
 * Cuts a page that costs too much into parts that parse alone: before a heading or an element at the beginning of a line, where
 * no element is open. Pages with footnotes stay whole, because their notes belong to all of the page.
 */
export const splitPage = (source: string, maxCost: number): string[] => {
  if (measureCost(source) <= maxCost || footnote.test(source)) return [source]
  const isCode = codeLines()
  const parts: string[][] = [[]]
  const definitions: string[] = []
  let [cost, open] = [0, 0]
  let isAfterBlank = true
  for (const line of source.split(/\r\n?|\n/)) {
    const code = isCode(line)
    if (!code && cost > wanted && open <= 0 && isAfterBlank && /^(#{1,6}[ \t]|<[A-Za-z])/.test(line)) {
      parts.push([])
      cost = 0
      open = 0
    }
    parts.at(-1)!.push(line)
    cost += measureCost(line)
    if (!code) {
      open += countOpened(line)
      if (definition.test(line) && definitions.length < maxDefinitions) definitions.push(line)
    }
    isAfterBlank = line.trim() === ''
  }
  const shared = definitions.length > 0 ? `\n\n${definitions.join('\n')}\n` : ''
  return parts.map((lines) => lines.join('\n') + (parts.length > 1 ? shared : ''))
}

const countOpened = (line: string) => {
  let opened = 0
  for (const [, slash, name = '', attributes = ''] of line.replace(inlineCode, '').matchAll(tag))
    opened += slash ? -1 : attributes.endsWith('/') || voidElement.test(name) ? 0 : 1
  return opened
}
