import { createCodeLineTest } from '#markdown/code/code-lines.ts'
import { mapLines } from '#markdown/map-lines.ts'
import { findAdmonitionElement } from '#markdown/admonitions.ts'
import { formatOpeningTag } from '#markdown/containers.ts'

const opening = /^([ \t]*)(\/{3,})[ \t]*([a-z][\w-]*)[ \t]*(?:\|[ \t]*(.*))?$/i
const closing = /^[ \t]*(\/{3,})[ \t]*$/
/** Maximum nesting; deeper blocks stay text. */
const maxDepth = 30
const option = /^[ \t]{4,}[\w-]+:/

type Block = { element: string; slashes: number; indent: string }

/** Turns `/// note | Title` … `///` into elements: callouts, details and tabs. Skips code. */
export const openBlocks = (markdown: string): string => {
  if (!/^[ \t]*\/\/\//m.test(markdown)) return markdown
  const isCode = createCodeLineTest()
  const open: Block[] = []
  const out: string[] = []
  let tabs: string | null = null
  const endTabs = () => {
    if (tabs !== null) out.push('', `${tabs}</tabs>`, '')
    tabs = null
  }
  let isHead = false
  for (const line of markdown.split('\n')) {
    const inCode = isCode(line)
    const start = inCode || open.length >= maxDepth ? null : opening.exec(line)
    const end = inCode ? undefined : closing.exec(line)?.[1]?.length
    if (start) {
      const [, indent = '', slashes = '', kind = '', title = ''] = start
      const isTab = kind === 'tab'
      if (!isTab) endTabs()
      if (isTab && tabs === null) out.push('', `${indent}<tabs>`)
      if (isTab) tabs = indent
      const { element, kind: shown } = isTab ? { element: 'tab', kind: '' } : findAdmonitionElement(kind, title)
      open.push({ element, slashes: slashes.length, indent })
      out.push('', indent + formatOpeningTag(element, title, { kind: shown }), '')
      isHead = true
      continue
    }
    const last = open.findLastIndex(({ slashes }) => slashes === end)
    if (end !== undefined && last >= 0) {
      for (const { element, indent } of open.splice(last).toReversed()) out.push('', `${indent}</${element}>`, '')
      continue
    }
    // Options of a block follow its first line.
    if (isHead && option.test(line)) continue
    isHead = isHead && line.trim() === ''
    if (line.trim() !== '' && open.every(({ element }) => element !== 'tab')) endTabs()
    out.push(line)
  }
  for (const { element, indent } of open.toReversed()) out.push('', `${indent}</${element}>`, '')
  endTabs()
  return out.join('\n')
}

const fenceOpening = /^([ \t]*(?:[-*+][ \t]+)?)(`{3,}|~{3,})[ \t]*(\{[^`\n]{0,500}\}|[^`\n]{0,500})$/

/** Rewrites the info of fenced code, such as `{ .yaml .annotate hl_lines="2 4-5" }`, and numbers of annotations in code. */
export const readFences = (markdown: string): string => {
  if (!/```|~~~/.test(markdown)) return markdown
  const isCode = createCodeLineTest()
  let wasCode = false
  return markdown
    .split('\n')
    .map((line) => {
      const isInside = wasCode
      wasCode = isCode(line)
      if (!wasCode) return line
      // A code block may show the notation of code blocks.
      const [, space, mark, info = ''] = isInside ? [] : (fenceOpening.exec(line) ?? [])
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
  // Without a language, the other options would be read as the language.
  return [
    language || ((name || marks.length > 0) && 'text'),
    marks.length > 0 && `{${marks.join(',')}}`,
    name && `title="${name}"`,
  ]
    .filter(Boolean)
    .join(' ')
}

const htmlOpening =
  /^([ \t]*)<([a-z][a-z0-9]*)\b([^<>]{0,500}?)\s{1,20}markdown(?:=["']?(?:1|block|span)["']?)?([^<>]{0,200})>(.*)$/i

/** Gives elements with the attribute `markdown` blank lines, so that their content is parsed as Markdown. Removes `[TOC]`. */
export const openHtmlBlocks = (markdown: string): string => {
  if (!/\bmarkdown\b|\[TOC\]/.test(markdown)) return markdown
  const names = new Set<string>()
  return mapLines(markdown, (line) => {
    if (line.trim() === '[TOC]') return ''
    const [, space = '', name, before = '', after = '', rest = ''] = htmlOpening.exec(line) ?? []
    if (name === undefined) {
      const end = /^[ \t]*<\/([a-z][a-z0-9]*)>[ \t]*$/i.exec(line)?.[1]
      return end !== undefined && names.has(end.toLowerCase()) ? `\n${line}\n` : line
    }
    names.add(name.toLowerCase())
    const ended = new RegExp(`^(.*)</${name}>\\s*$`, 'i').exec(rest.slice(0, 2_000))
    const content = ended ? `${ended[1]}\n\n${space}</${name}>` : rest
    return `${space}<${name}${before}${after}>\n\n${space}${content.trim()}\n`
  })
}
