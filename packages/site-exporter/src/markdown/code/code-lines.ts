/** A fence on a line of its own, in a quote, or after a list marker. Inline code between backticks is not a fence. */
const fence = /^((?:\s|>|[-*+]\s|\d{1,9}[.)]\s)*)(`{3,}(?![^`]*`)|~{3,})(.*)$/
/** A fence that is indented further than the opening one is code. */
const maxIndent = 3

/** Creates a function that takes one line after another and returns whether it belongs to a fenced code block. */
export const createCodeLineTest = (): ((line: string) => boolean) => {
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
