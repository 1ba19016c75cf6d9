/** Characters that are read to find lines of one file. */
const maxReads = 50_000_000

/** Fast for questions in the order of the text. Others cost more, and get null once they have cost too much together. */
export const createLines = (text: string) => {
  let left = maxReads
  let [line, start, next] = [1, 0, 0]
  let found = 0

  const search = (words: string, from: number): number => {
    if (left < 0) return -1
    const at = text.indexOf(words, from)
    left -= (at === -1 ? text.length : at) - from
    return at
  }
  const toLine = (offset: number): number | null => {
    if (offset < start) {
      left -= offset
      ;[line, start, next] = [1, 0, 0]
    }
    if (left < 0) return null
    while (next <= offset) {
      const end = text.indexOf('\n', next)
      ;[line, start, next] = [line + Number(next > 0), next, end === -1 ? Infinity : end + 1]
    }
    return line
  }
  return {
    toLine,
    /** A line on which an address is the value of something; null when it is written in another way. */
    findLine: (address: string): number | null => {
      for (const value of new Set([address, address.replaceAll('&', '&amp;')]))
        for (const [before, after] of [
          ['"', '"'],
          ["'", "'"],
          ['(', ')'],
          ['=', ''],
          ['', ''],
        ]) {
          const words = `${before}${value}${after}`
          const following = search(words, found)
          const at = following === -1 && found > 0 ? search(words, 0) : following
          if (at === -1) continue
          found = at
          return toLine(at)
        }
      return null
    },
  }
}
