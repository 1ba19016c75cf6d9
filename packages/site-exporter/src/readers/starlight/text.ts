import { codeLines } from '#markdown/code/code-lines.ts'

const opening = /^([ \t]*(?:[-*+][ \t]+)?)(`{3,}|~{3,})([\w+#-]{1,40})([^`\n]{0,500})$/
const comment = /^[ \t]*(?:\/\/|#|<!--|\/\*)[ \t]*([\w@~./[\]()$-]{3,200})[ \t]*(?:-->|\*\/)?[ \t]*$/
const fileName = /(?:^|\/)[\w@~[\]()$-]*\.[\w.-]{1,20}$/
/** Languages of terminals, in which such a line is a comment. */
const terminals = /^(?:ansi|bash|bat|batch|cmd|console|nu|nushell|powershell|ps1?|sh|shell(?:script|session)?|zsh)$/

/** Turns the comment that names the file of a code block, on its first line, into its title. */
export const titleCode = (markdown: string): string => {
  if (!/```|~~~/.test(markdown)) return markdown
  const isCode = codeLines()
  const lines: string[] = []
  let wasCode = false
  let wasTitle = false
  let fence: RegExpExecArray | null = null
  for (const line of markdown.split('\n')) {
    const isInside = isCode(line)
    const name = fence && isInside ? comment.exec(line)?.[1] : undefined
    const isBlankAfterTitle = wasTitle && line.trim() === ''
    wasTitle = false
    if (isBlankAfterTitle) continue
    if (fence && name !== undefined && fileName.test(name)) {
      wasTitle = true
      lines[lines.length - 1] = `${fence[1]}${fence[2]}${fence[3]}${fence[4]} title="${name}"`
      fence = null
    } else {
      lines.push(line)
      const start = isInside && !wasCode ? opening.exec(line) : null
      fence = start && !terminals.test(start[3]!) && !/\btitle=/.test(start[4]!) ? start : null
    }
    wasCode = isInside
  }
  return lines.join('\n')
}
