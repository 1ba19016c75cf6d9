import { posix } from 'node:path'
import { createCodeLineTest } from '#markdown/code/code-lines.ts'
import { mapLines } from '#markdown/map-lines.ts'
import { createOnceNote, type Note } from '#markdown/page-notes.ts'
import { decodeAddress, escapeAttribute } from '#site/data.ts'

/** Turns `{% include "…" %}` outside of code into the include that every page may have. */
export const openIncludes = (body: string): string => {
  const include = /\{%[ \t]*include[ \t]+["']([^\s"'{}<>]{1,500})["'][ \t]*%\}/g
  return mapLines(body, (line) => line.replace(include, '<!--@include: $1-->'))
}

/** Blocks that are components. Their elements begin with x-, so that they do not make a page MDX. */
const components = new Map(
  'tabs tab stepper:steps step columns column updates:fragment update'.split(' ').map((text) => {
    const [block = '', component = block] = text.split(':')
    return [block, component]
  }),
)
const hints = new Set(['info', 'success', 'warning', 'danger'])
const block = /`+[^`\n]*`+|\\\{%|\{%((?:[^%{]|%(?!\})|\{(?!%)){0,4000})%\}/g
const attribute = /(?<![\w-])([\w-]{1,40})=(?:"([^"]*)"|'([^']*)')/g
const lineStart = /^(?:([ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+)|\S)/gm
const fence = /^(.*?(?:`{3,}|~{3,}))([^\s`]*)(.*)$/

type Open = { name: string; element: string }

const closeAll = (open: readonly Open[]) => open.toReversed().map(({ element }) => `</${element}>`)

/** Turns blocks of GitBook, such as `{% hint %}`, into elements; code stays as it is. `findTitle` returns that of the page at an address, or null. */
export const openGitbook = (body: string, findTitle: (address: string) => string | null, note: Note): string => {
  const noteOnce = createOnceNote(note)
  const open: Open[] = []
  /** Title and looks of the next code block. */
  let meta = ''
  /** Column of the text of the current list item; deeper tags would become code. */
  let column = 0
  const begin = (name: string, element: string, attributes: Readonly<Record<string, string>> = {}) => {
    open.push({ name, element })
    const pairs = Object.entries(attributes).map(([key, text]) => text && ` ${key}="${escapeAttribute(text)}"`)
    return [`<${element}${pairs.join('')}>`]
  }
  const link = (address: string, text: string) =>
    `[${text.replace(/[[\]\\]/g, '\\$&')}](<${address.replace(/[<>\s]/g, encodeURIComponent)}>)`

  const read = (name: string, get: (key: string) => string): string[] => {
    const [url, title] = [get('url') || get('src') || get('page'), get('title') || get('date')]
    if (name === 'hint') return begin(name, hints.has(get('style')) ? `x-${get('style')}` : 'x-note')
    if (name === 'code') {
      const looks = [get('overflow') === 'wrap' && 'wrap', get('lineNumbers') === 'true' && 'lines']
      meta = [title && `title="${title.replace(/["`\n]/g, '')}"`, ...looks].filter(Boolean).join(' ')
      return []
    }
    if (name === 'content-ref' || name === 'page-ref') {
      const [page, isWhole] = [findTitle(url), name === 'page-ref']
      if (page === null) return isWhole ? [link(url, url)] : []
      return [...begin(name, 'x-card', { title: page, href: url }), ...(isWhole ? end(name) : [])]
    }
    const component = components.get(name)
    if (component !== undefined) return begin(name, `x-${component}`, { title })
    if (name === 'embed') return [link(url, url)]
    if (name === 'file') return [link(url, decodeAddress(posix.basename(url)))]
    noteOnce('left-out', `the block {% ${name} %} (its content stays)`)
    const call = `${get('method').toUpperCase()} ${get('path')}`.trim()
    return call ? [`\`${call}\``] : url ? [link(url, url)] : []
  }
  const end = (name: string): string[] => {
    if (name === 'code') meta = ''
    const at = open.findLastIndex((one) => one.name === name)
    return at < 0 ? [] : closeAll(open.splice(at))
  }

  const convert = (text: string): string => {
    let [out, at, lead] = ['', 0, '']
    for (const match of text.matchAll(block)) {
      const [, isEnd, name = ''] = /^[-\s]*(end)?(@?[a-z][\w/-]{0,60})/i.exec(match[1] ?? '') ?? []
      if (name === '') continue
      const before = text.slice(at, match.index)
      at = match.index + match[0].length
      const line = before.lastIndexOf('\n') + 1
      if (line > 0 || out === '') [lead = ''] = /^(?:\s|>|[-*+]\s|\d{1,9}[.)]\s)*/.exec(before.slice(line)) ?? []
      for (const [, item] of before.matchAll(lineStart)) column = item?.length ?? 0
      if (/^[ \t]*$/.test(lead)) lead = lead.slice(0, column)
      const indent = lead.replace(/[^\s>]/g, ' ')
      const isItem = indent !== lead && before.slice(line) === lead
      const values = new Map(
        [...match[1]!.matchAll(attribute)].map(([, key = '', one, other]) => [key, one ?? other ?? '']),
      )
      // A card replaces the link that GitBook writes into the block.
      const isCard =
        isEnd && name === 'content-ref' && open.at(-1)?.name === name && /^\s*\[[^\]\n]*\]\([^)\n]*\)\s*$/.test(before)
      if (!isCard) out += before
      const pieces = isEnd ? end(name) : read(name, (key) => values.get(key) ?? '')
      for (const [index, piece] of pieces.entries())
        out += `${isItem && index === 0 ? '' : `\n${indent}\n${indent}`}${piece}\n${indent}\n${indent}`
    }
    return out + text.slice(at)
  }

  const isCode = createCodeLineTest()
  const parts: string[] = []
  let text: string[] = []
  for (const line of [...body.split('\n'), null]) {
    if (line !== null && !isCode(line)) text.push(line)
    else {
      if (text.length > 0) parts.push(convert(text.join('\n')))
      text = []
      const [, mark, language, rest] = (meta !== '' && line !== null && fence.exec(line)) || []
      if (line !== null) parts.push(mark ? `${mark}${language || 'text'} ${meta}${rest}` : line)
      meta = ''
    }
  }
  return [...parts, ...closeAll(open).map((tag) => `\n${tag}\n`)].join('\n')
}
