const fence = /^\s*(`{3,}|~{3,})/

/** Tells of the lines of a page, one after the other, whether they are code or begin or end it. */
export const codeLines = (): ((line: string) => boolean) => {
  let inCode: string | null = null
  return (line) => {
    const mark = fence.exec(line)?.[1]
    if (mark && inCode === null) inCode = mark
    else if (mark && mark.startsWith(inCode!) && line.trim() === mark) inCode = null
    return inCode !== null || mark !== undefined
  }
}
