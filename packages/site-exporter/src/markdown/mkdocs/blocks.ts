import { codeLines } from '#markdown/code/code-lines.ts'
import { admonitionElement } from '#markdown/admonitions.ts'
import { openingTag } from '#markdown/containers.ts'

const opening = /^([ \t]*)(\/{3,})[ \t]*([a-z][\w-]*)[ \t]*(?:\|[ \t]*(.*))?$/i
const closing = /^[ \t]*(\/{3,})[ \t]*$/
/** Deeper blocks stay text. */
const maxDepth = 30
const option = /^[ \t]{4,}[\w-]+:/

type Block = { element: string; slashes: number; indent: string }

/** Turns `/// note | Title` … `///` into elements: callouts, details and tabs. Skips code. */
export const openBlocks = (markdown: string): string => {
  if (!/^[ \t]*\/\/\//m.test(markdown)) return markdown
  const isCode = codeLines()
  const open: Block[] = []
  const out: string[] = []
  /** Indent of the tabs that the next block may continue, or null. */
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
      const { element, label } = isTab ? { element: 'tab', label: title } : admonitionElement(kind, title)
      open.push({ element, slashes: slashes.length, indent })
      out.push('', indent + openingTag(element, label), '')
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
