/** A fence on a line of its own, in a quote, or behind the sign of a list. Code between backticks within a line is none. */
const fence = /^((?:\s|>|[-*+]\s|\d{1,9}[.)]\s)*)(`{3,}(?![^`]*`)|~{3,})(.*)$/
/** A fence that is indented further than the one that opens a block is code. */
const maxIndent = 3

/** Creates a reader that tells, line by line, whether a line belongs to a fenced code block. */
export const codeLines = (): ((line: string) => boolean) => {
  let inCode: string | null = null
  let start = 0
  return (line) => {
    const [, before = '', mark, after = ''] = fence.exec(line) ?? []
    const indent = before.replaceAll('\t', '    ').length
    if (mark === undefined) return inCode !== null
    if (inCode === null) [inCode, start] = [mark, indent]
    else if (mark.startsWith(inCode) && after.trim() === '' && /^[\s>]*$/.test(before) && indent <= start + maxIndent)
      inCode = null
    return true
  }
}
