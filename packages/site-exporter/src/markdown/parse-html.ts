import type { Root } from 'hast'
import rehypeRaw from 'rehype-raw'
import { unified } from 'unified'
import { defaultTreeAdapter } from 'parse5'

const rawToHtml = unified().use(rehypeRaw).freeze()

/** Replaces raw HTML in a tree by unsafe elements. */
export const parseRaw = (tree: Root): Root => runWithinElements(() => rawToHtml.runSync(tree)) as Root

/** Parses HTML into unsafe elements. */
export const parseHtml = (source: string): Root =>
  parseRaw({ type: 'root', children: [{ type: 'raw', value: source }] })

const maxElements = 100_000

let left = Infinity
const createElement = defaultTreeAdapter.createElement
// Unclosed `<b>` elements reopen in every paragraph, so a small text can create millions of elements. The parser has no limit.
defaultTreeAdapter.createElement = (...element) => {
  if (left-- <= 0) throw new Error(`its HTML makes more than ${maxElements} elements`)
  return createElement(...element)
}

/** Runs an HTML parser. Throws when it creates too many elements, before they fill the memory. */
const runWithinElements = <T>(parse: () => T): T => {
  left = maxElements
  try {
    return parse()
  } finally {
    left = Infinity
  }
}
