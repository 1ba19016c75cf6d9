import { codeLines } from '#markdown/code/code-lines.ts'

const voidElement = /<(br|hr|img|input|wbr|source)(?![\w.:-])([^<>]*)>/gi

/** Rewrites comments, `{#id}`, autolinks and void elements so that MDX accepts them. Skips code. */
export const repairMdx = (source: string): string => {
  const isCode = codeLines()
  return withoutComments(source, 'html')
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

const code = /(^[ \t]*(`{3,}(?!`)|~{3,}(?!~))[\s\S]*?(?:^[ \t]*\2|$(?![\s\S])))/.source
const comments = {
  html: { end: '-->', codeOrComment: new RegExp(`${code}|<!--[\\s\\S]*?-->`, 'gm') },
  jsx: { end: '*/}', codeOrComment: new RegExp(`${code}|\\{/\\*[\\s\\S]*?\\*/\\}`, 'gm') },
}

/** Drops comments outside code. Searches for an end only if one follows; otherwise every beginning would scan the rest of the page. */
export const withoutComments = (source: string, notation: keyof typeof comments): string => {
  const { end, codeOrComment } = comments[notation]
  const from = source.includes(end) ? source.lastIndexOf(end) + end.length : 0
  return source.slice(0, from).replace(codeOrComment, '$1') + source.slice(from)
}

const repaired = (text: string) =>
  text
    .replace(/\{(?=#[^{}\s]+\}\s*$)/, '\\{')
    .replace(/<(https?:\/\/[^\s<>]+)>/g, '[$1]($1)')
    .replace(/<([\w.+-]+@[\w.-]+)>/g, '[$1](mailto:$1)')
    .replace(voidElement, (whole, name: string, attributes: string) =>
      attributes.endsWith('/') ? whole : `<${name}${attributes.trimEnd()} />`,
    )
