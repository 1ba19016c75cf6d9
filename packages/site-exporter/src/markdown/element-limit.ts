import { defaultTreeAdapter } from 'parse5'

/** Elements of one page that are made from HTML. */
const maxElements = 100_000

let left = Infinity
const createElement = defaultTreeAdapter.createElement
// As HTML is to be read, each of a thousand `<b>` that are never closed begins again in each of a thousand paragraphs. There is no other
// place to count them: the parser takes no limit, and the text does not tell.
defaultTreeAdapter.createElement = (...element) => {
  if (left-- <= 0) throw new Error(`its HTML makes more than ${maxElements} elements`)
  return createElement(...element)
}

/** Runs `parse`, which reads HTML; throws when that becomes more elements than a page may have, before they take all memory. */
export const withinElements = <T>(parse: () => T): T => {
  left = maxElements
  try {
    return parse()
  } finally {
    left = Infinity
  }
}
