import { codeLines } from '#markdown/code/code-lines.ts'

const opening =
  /^([ \t]*)<([a-z][a-z0-9]*)\b([^<>]{0,500}?)\s{1,20}markdown(?:=["']?(?:1|block|span)["']?)?([^<>]{0,200})>(.*)$/i

/** Gives elements with the attribute `markdown` blank lines, so that their content is read as Markdown, and removes `[TOC]`. */
export const openHtmlBlocks = (markdown: string): string => {
  if (!/\bmarkdown\b|\[TOC\]/.test(markdown)) return markdown
  const isCode = codeLines()
  const names = new Set<string>()
  return markdown
    .split('\n')
    .map((line) => {
      if (isCode(line)) return line
      if (line.trim() === '[TOC]') return ''
      const [, space = '', name, before = '', after = '', rest = ''] = opening.exec(line) ?? []
      if (name === undefined) {
        const end = /^[ \t]*<\/([a-z][a-z0-9]*)>[ \t]*$/i.exec(line)?.[1]
        return end !== undefined && names.has(end.toLowerCase()) ? `\n${line}\n` : line
      }
      names.add(name.toLowerCase())
      const ended = new RegExp(`^(.*)</${name}>\\s*$`, 'i').exec(rest.slice(0, 2_000))
      const content = ended ? `${ended[1]}\n\n${space}</${name}>` : rest
      return `${space}<${name}${before}${after}>\n\n${space}${content.trim()}\n`
    })
    .join('\n')
}
