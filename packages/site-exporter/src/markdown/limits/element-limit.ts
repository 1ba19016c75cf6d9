import { defaultTreeAdapter } from 'parse5'

/** Maximum number of elements that HTML may create on one page. */
const maxElements = 100_000

let left = Infinity
const createElement = defaultTreeAdapter.createElement
// Unclosed `<b>` elements reopen in every paragraph, so a small text can create millions. The parser has no limit of its own.
defaultTreeAdapter.createElement = (...element) => {
  if (left-- <= 0) throw new Error(`its HTML makes more than ${maxElements} elements`)
  return createElement(...element)
}

/** Runs an HTML parser. Throws when it creates too many elements, before they fill the memory. */
export const withinElements = <T>(parse: () => T): T => {
  left = maxElements
  try {
    return parse()
  } finally {
    left = Infinity
  }
}
