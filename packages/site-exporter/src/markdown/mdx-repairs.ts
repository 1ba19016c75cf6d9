import { codeLines } from './code-lines.ts'

const voidElement = /<(br|hr|img|input|wbr|source)(?![\w.:-])([^<>]*)>/gi

/**
 * Rewrites what is Markdown, HTML or the extension of a tool, but no MDX: comments, `{#id}` behind headings, addresses in angle
 * brackets, and elements without an end. Code is left alone.
 */
export const repairMdx = (source: string): string => {
  const isCode = codeLines()
  return withoutComments(source)
    .split('\n')
    .map((line) => {
      if (isCode(line)) return line
      // Every second piece is code within the line.
      return line
        .split(/(`+[^`]*`+)/)
        .map((piece, index) => (index % 2 === 1 ? piece : repaired(piece)))
        .join('')
    })
    .join('\n')
}

/** An end of a comment is looked for only where there is one ahead; else each beginning would look through the rest of the page. */
const withoutComments = (source: string) => {
  const end = source.includes('-->') ? source.lastIndexOf('-->') + 3 : 0
  return source.slice(0, end).replace(codeOrComment, '$1') + source.slice(end)
}
const codeOrComment = /(^[ \t]*(`{3,}(?!`)|~{3,}(?!~))[\s\S]*?(?:^[ \t]*\2|$(?![\s\S])))|<!--[\s\S]*?-->/gm

const repaired = (text: string) =>
  text
    .replace(/\{(?=#[^{}\s]+\}\s*$)/, '\\{')
    .replace(/<(https?:\/\/[^\s<>]+)>/g, '[$1]($1)')
    .replace(/<([\w.+-]+@[\w.-]+)>/g, '[$1](mailto:$1)')
    .replace(voidElement, (whole, name: string, attributes: string) =>
      attributes.endsWith('/') ? whole : `<${name}${attributes.trimEnd()} />`,
    )
