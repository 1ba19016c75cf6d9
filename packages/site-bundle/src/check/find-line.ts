/** Line of a position in a text, from 1 on. */
export const toLine = (text: string, offset: number): number => {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1
  return line
}

/** First line on which an address is the value of something; null when it is written in another way. */
export const findLine = (text: string, address: string): number | null => {
  for (const value of new Set([address, address.replaceAll('&', '&amp;')]))
    for (const [before, after] of [
      ['"', '"'],
      ["'", "'"],
      ['(', ')'],
      ['=', ''],
      ['', ''],
    ]) {
      const at = text.indexOf(`${before}${value}${after}`)
      if (at !== -1) return toLine(text, at)
    }
  return null
}
