const fence = /^\s*(`{3,}|~{3,})/
const voidElement = /<(br|hr|img|input|wbr|source)(?![\w.:-])([^<>]*)>/gi

/**
 * Rewrites what is Markdown, HTML or the extension of a tool, but no MDX: comments, `{#id}` behind headings, addresses in angle
 * brackets, and elements without an end. Code is left alone.
 */
export const repairMdx = (source: string): string => {
  let inCode: string | null = null
  const withoutComments = source.replace(/(^[ \t]*(`{3,}(?!`)|~{3,}(?!~))[\s\S]*?^[ \t]*\2)|<!--[\s\S]*?-->/gm, '$1')
  return withoutComments
    .split('\n')
    .map((line) => {
      const mark = fence.exec(line)?.[1]
      if (mark && inCode === null) inCode = mark
      else if (mark && mark.startsWith(inCode!) && line.trim() === mark) inCode = null
      if (inCode !== null || mark) return line
      // Every second piece is code within the line.
      return line
        .split(/(`+[^`]*`+)/)
        .map((piece, index) => (index % 2 === 1 ? piece : repaired(piece)))
        .join('')
    })
    .join('\n')
}

const repaired = (text: string) =>
  text
    .replace(/\{(?=#[^{}\s]+\}\s*$)/, '\\{')
    .replace(/<(https?:\/\/[^\s<>]+)>/g, '[$1]($1)')
    .replace(/<([\w.+-]+@[\w.-]+)>/g, '[$1](mailto:$1)')
    .replace(voidElement, (whole, name: string, attributes: string) =>
      attributes.endsWith('/') ? whole : `<${name}${attributes.trimEnd()} />`,
    )
