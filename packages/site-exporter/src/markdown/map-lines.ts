import { createCodeLineTest } from '#markdown/code/code-lines.ts'

/** Converts the lines of Markdown that are not code. */
export const mapLines = (markdown: string, convert: (line: string) => string): string => {
  const isCode = createCodeLineTest()
  const lines = markdown.split('\n').map((line) => (isCode(line) ? line : convert(line)))
  return lines.join('\n')
}

/** Converts a line except for its inline code. */
export const mapText = (line: string, convert: (text: string) => string): string =>
  line
    .split(/(`+[^`]*`+)/)
    .map((piece, index) => (index % 2 === 1 ? piece : convert(piece)))
    .join('')
