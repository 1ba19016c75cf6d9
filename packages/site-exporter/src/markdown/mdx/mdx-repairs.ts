import { codeLines } from '#markdown/code/code-lines.ts'

const voidElement = /<(br|hr|img|input|wbr|source)(?![\w.:-])([^<>]*)>/gi

/** Rewrites comments, `{#id}`, autolinks and void elements so that MDX accepts them. Skips code. */
export const repairMdx = (source: string): string => {
  const isCode = codeLines()
  return withoutComments(source)
    .split('\n')
    .map((line) => {
      if (isCode(line)) return line
      // Odd pieces are inline code.
      return line
        .split(/(`+[^`]*`+)/)
        .map((piece, index) => (index % 2 === 1 ? piece : repaired(piece)))
        .join('')
    })
    .join('\n')
}

/** Searches for `-->` only if one follows; otherwise every `<!--` would scan the rest of the page. */
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
