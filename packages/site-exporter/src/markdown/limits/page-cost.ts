/** Maximum parse cost of a part of a page, in lines and special characters. */
export const maxCost = 30_000
/** Maximum parse cost of the files that a page imports, because their trees are in memory until it is rendered. */
export const maxImportCost = 4 * maxCost
const maxContainers = 60
/** Maximum cells of the tables of a part. A short row counts as a full one. */
const maxCells = 100_000

const marks = /[[\]*_~`<>|&{}!\\^$=]/g
/** Characters of prose that cost as much as one special character. */
const prose = 24
const addresses = /@|:\/\/|www\./g
const blockLine = /^[ \t]*(?:[#>+=-]|\d{1,9}[.)])/
const containers = new RegExp(`^(?:[ \\t]*(?:>|[-*+][ \\t]|\\d{1,9}[.)][ \\t])){${maxContainers + 1}}`)
const farIn = new RegExp(`^[ \\t]{${maxContainers * 4},}(?:[-*+]|\\d{1,9}[.)])[ \\t]`)
/** Too many blanks: regular expressions that skip them take quadratic time. */
const blanks = /[^\S\n]{2000}/
const delimiterRow = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*\|/

/** Reason not to parse a part of a page, or null. Markdown parsers take kilobytes per special character and up to quadratic time. */
export const findExcess = (source: string, most = maxCost): string | null => {
  let cost = 0
  let columns = 0
  let cells = 0
  for (const line of source.split(/\r\n?|\n/)) {
    cost += measureLineCost(line)
    if (blanks.test(line)) return 'a line has more than 2000 blanks in a row'
    if (containers.test(line) || farIn.test(line)) return `quotes or lists are nested more than ${maxContainers} deep`
    cells += columns
    if (delimiterRow.test(line)) columns = line.split('|').length
    else if (line.trim() === '') columns = 0
    if (cells > maxCells) return `its tables have more than ${maxCells} cells`
    if (cost > most) return `it has more than ${most} lines and marks`
  }
  return null
}

export const measureCost = (source: string): number =>
  source.split(/\r\n?|\n/).reduce((cost, line) => cost + measureLineCost(line), 0)

const measureLineCost = (line: string) =>
  1 +
  line.length / prose +
  countMatches(line, marks) +
  2 * countMatches(line, addresses) +
  (blockLine.test(line) ? 2 : 0)

const countMatches = (line: string, what: RegExp) => line.match(what)?.length ?? 0
