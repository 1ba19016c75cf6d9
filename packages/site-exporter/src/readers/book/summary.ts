import { markWord } from '#site/words.ts'
import { posix } from 'node:path'
import type { ReadNavigation } from '#readers/layout.ts'
import { createNavBuilder } from '#readers/nav-builder.ts'
import { decodeAddress } from '#site/data.ts'
import type { FindPage } from '#site/page-paths.ts'
import { pruneNav, type NavNode } from '#site/source-page.ts'

type Group = Extract<NavNode, { kind: 'group' }>

const entry = /^(\s*)(?:(?:[-*+]|\d+[.)])\s+)?\[((?:[^[\]\\]|\\.|\[[^\]]*\])*)\]\(<?([^()<>]*)>?[^()<>]*\)\s*$/
/** Maximum length of a line. Characters. */
const maxLine = 2_000
const draft = /^(\s*)[-*+]\s+\[([^\]]*)\]\(\s*\)\s*$/

/** Reads a SUMMARY.md in `folder`: nested bullets are chapters, headings are parts. */
export const readSummary = (markdown: string, file: string, folder: string, find: FindPage): ReadNavigation => {
  const { read, page } = createNavBuilder(find)
  let part: NavNode[] = read.nav
  let isFirst = true
  /** Open lists, innermost last. */
  let open: { indent: number; children: NavNode[]; last: { title: string; at: number } | null }[] = []

  // Translators keep the entries of the original in comments.
  for (const long of markdown.replace(/<!--[^]*?(?:-->|$)/g, '').split(/\r?\n/)) {
    // The regular expressions take quadratic time.
    const line = long.slice(0, maxLine).trimEnd()
    // The first line is the title of the book.
    const isTitle = isFirst && line.startsWith('#')
    isFirst &&= line === ''
    if (isTitle) continue
    // What follows a rule, and a chapter without a bullet, belongs to no part.
    if (/^(-{3,}|\*{3,}|_{3,})$/.test(line) || line.startsWith('[')) [part, open] = [read.nav, []]
    const heading = /^#{1,6}\s+(.+)$/.exec(line)?.[1]?.replace(/#+$/, '').trim()
    if (heading && !/^(summary|table of contents)$/i.test(heading)) {
      const group: Group = { kind: 'group', title: toPlainText(heading), isTab: false, children: [] }
      read.nav.push(group)
      ;[part, open] = [group.children, []]
      continue
    }
    const [, space = '', text = '', target = ''] = entry.exec(line) ?? draft.exec(line) ?? []
    const [link = ''] = target.split(/\s["']/, 1)
    const isLink = text === '' && /(?<!!)\[[^\]]+\](?:\([^)]|\[)|<a\s/i.test(line)
    if (isLink) read.leftOut.push({ file, reason: `a line of the navigation that is not understood: ${line.trim()}` })
    if (text === '' || /^[a-z][a-z0-9+.-]*:/i.test(link)) continue
    const indent = space.replaceAll('\t', '    ').length
    open = open.filter((level) => level.indent <= indent)
    const parent = open.at(-1)
    let children = part
    if (parent && parent.indent < indent) children = openGroup(parent, read.titles)
    else if (parent) children = parent.children
    const level = open.find((known) => known.children === children) ?? { indent, children, last: null }
    if (!open.includes(level)) open.push(level)
    const title = toPlainText(text)
    level.last = { title, at: children.length }
    if (link.trim() === '') {
      children.push({ kind: 'group', title, isTab: false, isDraft: true, children: [] })
      continue
    }
    children.push(...page(posix.join(folder, decodeAddress(link.trim().replace(/[?#].*$/s, ''))), link, title))
  }
  return { ...read, nav: pruneNav(read.nav) }
}

/** Turns the last entry of a list into a group that begins with its own page. */
const openGroup = (
  level: { children: NavNode[]; last: { title: string; at: number } | null },
  titles: Map<string, string>,
) => {
  const { title, at } = level.last ?? { title: '', at: level.children.length }
  const node = level.children[at]
  if (node?.kind === 'group') return node.children
  const name = (node?.kind === 'page' && titles.get(node.path)) || title || markWord('other')
  const group: Group = { kind: 'group', title: name, isTab: false, children: node ? [node] : [] }
  level.children.splice(at, 1, group)
  return group.children
}

const toPlainText = (markdown: string) => markdown.replace(/\\(.)/g, '$1').replace(/[`*]/g, '').trim()
