// An address that ends with a comma has no descriptors; a parenthesis in them that stays open ends with the text.
const candidate = /[\s,]*(?![\s,])(\S+)(?:(?<!,)(?:\([^)]*(?:\)|$)|[^,(]+)*)?/gy

/** Addresses of a `srcset`, as the HTML standard splits it: commas within an address belong to it. */
export const readSrcset = (text: string): string[] =>
  [...text.matchAll(candidate)].map(([, address = '']) => address.replace(/(?<!,),+$/, ''))
