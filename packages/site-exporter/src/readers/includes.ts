import { posix } from 'node:path'
import { readPageBody } from '#site/front-matter.ts'
import { limits } from '#site/limits.ts'
import type { PieceReader } from './piece-reader.ts'

const maxDepth = 4
/** No match may scan the text of another one again, or a page of a megabyte would take hours. */
const include =
  /^(?<space>[ \t]*)<<<[ \t]+(?<code>[^\s{[]{1,500})(?<rest>[^\n]*)$|<!--\s*@include:\s*(?<page>[^\s{}<>]{1,500})(?:\{(?<range>[\d,]*)\})?\s*-->|(?<!\\)\{\{#(?:rustdoc_)?(?:include|playground)[ \t]+(?<book>[^\s{}]{1,500})(?:[ \t][^{}\n]*)?\}\}/gm
const codeRest = /^(?:\{(?<lines>[^}]*)\})?\s*(?<title>\[[^\]]*\])?$/

/** Inlines includes of VitePress (`<<< ./file.ts{2}`, `<!--@include: ./part.md-->`) and books (`{{#include file.rs:3:9}}`). A missing file is replaced by a readable notice. */
export const includeFiles = async (
  reader: PieceReader,
  root: string,
  file: string,
  body: string,
  within: readonly string[] = [],
): Promise<string> => {
  if (within.length >= maxDepth || !/<<<|@include:|\{\{#/.test(body)) return body
  let text = ''
  let end = 0
  for (const match of body.matchAll(include)) {
    const { space = '', code, rest = '', page, range, book } = match.groups!
    const tail = codeRest.exec(rest.trim())
    if (!tail) continue
    const { lines, title = '' } = tail.groups!
    const reference = code ?? page ?? book ?? ''
    const [, name = '', part = ''] = /^([^#:]*)[#:]?(.*)$/.exec(reference) ?? []
    const path = /^@?\//.test(name)
      ? posix.join(root, name.replace(/^@?\//, ''))
      : posix.join(posix.dirname(file), name)
    const content = (await reader.read(path, limits.pageBytes))?.trimEnd()
    let piece = `*${name} is not part of this copy.*`
    if (content === undefined)
      reader.addProblem(`the include ${name}: ${reader.explain([path]) ?? 'there is no such file'}`)
    if (content !== undefined && code !== undefined) {
      const language =
        /(?:^|\s)([a-z][\w+-]*)\s*$/i.exec(lines?.replace(/:[\w-]+/g, '') ?? '')?.[1] ?? posix.extname(name).slice(1)
      const marks = /[\d,-]+/.exec(lines ?? '')?.[0]
      const excerpt = selectPart(content, part).replace(/^/gm, space)
      piece = `${space}\`\`\`\`\`${language}${marks ? ` {${marks}}` : ''} ${title || `[${posix.basename(name)}]`}\n${excerpt}\n${space}\`\`\`\`\``
    } else if (content !== undefined && page !== undefined) {
      const cycle = findCycle([...within, file], path)
      if (cycle !== null) reader.addProblem(cycle)
      const [numbers] = /^\d*,\d*$/.exec(range ?? '') ?? []
      const inner = selectPart(selectPart(readPageBody(content), part), numbers?.replace(',', ':') ?? '')
      piece = cycle === null ? await includeFiles(reader, root, path, inner, [...within, file]) : `*${cycle}.*`
    } else if (content !== undefined) piece = selectPart(content, part)
    text += body.slice(end, match.index) + piece
    end = match.index + match[0].length
    // Limits repeated includes.
    if (text.length > limits.pageBytes) return text
  }
  const whole = text + body.slice(end)
  return within.length === 0 ? whole.replaceAll('\\{{#', '{{#') : whole
}

/** Names the cycle that including `path` would close, or null. */
export const findCycle = (within: readonly string[], path: string): string | null => {
  const start = within.indexOf(path)
  return start < 0 ? null : `a cycle of includes: ${[...within.slice(start), path].join(' → ')}`
}

/** Selects lines `2:5`, a named region or anchor, or a section. */
const selectPart = (text: string, part: string): string => {
  if (part === '') return text
  const lines = text.split('\n')
  const [, from, to = from] = /^(\d*)(?::(\d*))?$/.exec(part) ?? []
  if (from !== undefined) return lines.slice(Math.max(0, Number(from || 1) - 1), Number(to || lines.length)).join('\n')
  const start = lines.findIndex(
    (line) => /region|ANCHOR:/.test(line) && !/endregion|ANCHOR_END/.test(line) && line.split(/[\s:]+/).includes(part),
  )
  const stop = lines.findIndex((line, index) => index > start && /endregion|ANCHOR_END:/.test(line))
  if (start >= 0) return lines.slice(start + 1, stop < 0 ? lines.length : stop).join('\n')
  const toBare = (words: string) => words.toLowerCase().replace(/[^a-z0-9]+/g, '')
  const heading = lines.findIndex((line) => /^#+\s/.test(line) && toBare(line).includes(toBare(part)))
  if (heading < 0) return text
  const level = /^#+/.exec(lines[heading]!)![0].length
  const next = lines.findIndex((line, index) => index > heading && (/^(#+)\s/.exec(line)?.[1]?.length ?? 99) <= level)
  return lines.slice(heading, next < 0 ? lines.length : next).join('\n')
}
