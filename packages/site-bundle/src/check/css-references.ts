import { tokenize, TokenType, type CSSToken } from '@csstools/css-tokenizer'
import { shortenText } from '#pages/html.ts'
import type { Reference, Use } from './reference.ts'

/** Names may be escaped, so a text with a backslash is read too. */
const mayRefer = /url\(|src\(|@import|image-set\(|\\/i

const imageSets = new Set(['image-set', '-webkit-image-set'])
const namesOnly = new Set(['namespace', 'document', '-moz-document'])

const isOldFormat = (address: string) => /\.eot\b|\.svg\b/i.test(address)

const readFunctionName = (token: CSSToken) =>
  token[0] === TokenType.Function ? token[4].value.toLowerCase() : token[0] === TokenType.OpenParen ? '' : null

/** Leaves out addresses that no browser requests. */
export const findCssReferences = (text: string, isAttribute = false): Reference[] => {
  if (!mayRefer.test(text)) return []
  const references: Reference[] = []
  let group = 0
  let rule = ''
  let depth = 0
  const functions: string[] = []
  let from = 0
  const add = (use: Use, address: string, [, , start, end]: CSSToken, rest: Partial<Reference> = {}) => {
    if (address === '' || address.startsWith('#')) return
    const begin = from
    references.push({
      use,
      address,
      offset: start,
      end: end + 1,
      excerpt: () => shortenText(text.slice(begin, end + 1)),
      ...rest,
    })
  }
  const addUrl = (address: string, token: CSSToken) => {
    if (rule === 'import') {
      add('style', address, token, { blocks: !isAttribute })
      rule = 'imported'
    } else if (rule === 'font-face') {
      if (!isOldFormat(address)) add('font', address, token, { group })
    } else if (!namesOnly.has(rule) && rule !== 'imported') add('image', address, token)
  }
  for (const token of tokenize({ css: text })) {
    const name = readFunctionName(token)
    if (name !== null) functions.push(name)
    else if (token[0] === TokenType.CloseParen) functions.pop()
    else if (token[0] === TokenType.AtKeyword) {
      rule = token[4].value.toLowerCase()
      depth = 0
    } else if (token[0] === TokenType.OpenCurly) {
      // The enclosing rule does not matter, except for `@font-face`.
      if (rule !== 'font-face') rule = ''
      from = token[3] + 1
      depth += 1
      group += 1
    } else if (token[0] === TokenType.CloseCurly) {
      depth -= 1
      if (depth <= 0) rule = ''
      from = token[3] + 1
      functions.length = 0
    } else if (token[0] === TokenType.Semicolon) {
      if (rule !== 'font-face') rule = ''
      from = token[3] + 1
      group += 1
      functions.length = 0
    } else if (token[0] === TokenType.URL) addUrl(token[4].value, token)
    else if (token[0] === TokenType.String) {
      const inside = functions.at(-1)
      if (inside === 'url' || inside === 'src' || (rule === 'import' && inside === undefined))
        addUrl(token[4].value, token)
      else if (inside !== undefined && imageSets.has(inside)) add('image', token[4].value, token)
    }
  }
  return references
}
