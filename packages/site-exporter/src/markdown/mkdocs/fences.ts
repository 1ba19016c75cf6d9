import { codeLines } from '#markdown/code/code-lines.ts'

const opening = /^([ \t]*(?:[-*+][ \t]+)?)(`{3,}|~{3,})[ \t]*(\{[^`\n]{0,500}\}|[^`\n]{0,500})$/

/** Rewrites the info of fenced code, such as `{ .yaml .annotate hl_lines="2 4-5" }`, and numbers of annotations in code. */
export const readFences = (markdown: string): string => {
  if (!/```|~~~/.test(markdown)) return markdown
  const isCode = codeLines()
  let wasCode = false
  return markdown
    .split('\n')
    .map((line) => {
      const isInside = wasCode
      wasCode = isCode(line)
      if (!wasCode) return line
      // A block may show the notation of blocks.
      const [, space, mark, info = ''] = isInside ? [] : (opening.exec(line) ?? [])
      return mark === undefined ? line.replace(/\((\d{1,2})\)!/g, '($1)') : `${space}${mark}${readInfo(info.trim())}`
    })
    .join('\n')
}

const readInfo = (info: string) => {
  const inner = info.startsWith('{') ? info.slice(1, -1).trim() : info
  const [first = ''] = inner.split(/\s/)
  const language = info.startsWith('{') ? (/^\.([\w+#-]+)/.exec(inner)?.[1] ?? '') : first.includes('=') ? '' : first
  const title = /\btitle=(?:"([^"]*)"|'([^']*)')/.exec(inner)
  const lines = /\bhl_lines=(?:"([^"]*)"|'([^']*)')/.exec(inner)
  const isPlain = !info.startsWith('{') && !title && !lines && !/\blinenums=|\bid=/.test(inner)
  if (isPlain) return info
  const marks = (lines?.[1] ?? lines?.[2] ?? '')
    .trim()
    .split(/[\s,]+/)
    .filter(Boolean)
  const name = title?.[1] ?? title?.[2]
  // Without a language, the rest would be read as one.
  return [
    language || ((name || marks.length > 0) && 'text'),
    marks.length > 0 && `{${marks.join(',')}}`,
    name && `title="${name}"`,
  ]
    .filter(Boolean)
    .join(' ')
}
