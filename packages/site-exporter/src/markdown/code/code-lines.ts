const fence = /^\s*(`{3,}|~{3,})/

/** Creates a reader that tells, line by line, whether a line belongs to a fenced code block. */
export const codeLines = (): ((line: string) => boolean) => {
  let inCode: string | null = null
  return (line) => {
    const mark = fence.exec(line)?.[1]
    if (mark && inCode === null) inCode = mark
    else if (mark && mark.startsWith(inCode!) && line.trim() === mark) inCode = null
    return inCode !== null || mark !== undefined
  }
}
