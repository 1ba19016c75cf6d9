import type { Element, Root } from 'hast'
import { toString } from 'hast-util-to-string'
import { CONTINUE, EXIT, walkTree, SKIP } from './walk-tree.ts'
import { toBareId, createSlugger, type Dialect } from './slugs.ts'
import { h } from 'hastscript'

export type Heading = { id: string; text: string; level: number }

/** Headings and ids of a page whose title was removed. Links to the title use `titleId`. */
export type Outline = { title: string | null; titleId: string | null; headings: Heading[]; ids: Set<string> }

/** A heading never replaces a fixed title. */
export type OutlineRules = { style: Dialect; title: string; isTitleFixed: boolean }

/** Removes the title h1, demotes other h1 to h2, and gives headings and linkable components unique ids. */
export const outlinePage = (tree: Root, rules: OutlineRules): Outline => {
  const slug = createSlugger(rules.style)
  const first = takeTitle(tree, rules)
  const ids = new Set<string>()
  const titleId = first ? takeId(first, slug) : createSlugger(rules.style)(rules.title)
  if (first) ids.add(titleId)
  const headings: Heading[] = []
  /** Elements that only the Markdown copy has. */
  const unseen = new Set<Element>()
  walkTree(tree, 'element', (node) => {
    if (node.tagName === 'template') walkTree(node, 'element', (inner) => void unseen.add(inner))
    if (/^h[1-6]$/.test(node.tagName)) {
      if (node.tagName === 'h1') node.tagName = 'h2'
      const id = takeId(node, slug)
      node.properties['id'] = id
      const text = toString(node).trim()
      const level = Number(node.tagName[1])
      const hidden = Array.isArray(node.properties['className']) && node.properties['className'].includes('sr-only')
      if (level <= 3 && text && !hidden && !unseen.has(node)) headings.push({ id, text, level })
    }
    if (node.tagName === 'p' && node.properties['id'] === undefined) {
      const own = takeOwnId(node)
      if (own !== undefined) node.properties['id'] = own
      // An empty paragraph with an id is a link target.
      if (own !== undefined && toString(node).trim() === '') node.tagName = 'span'
    }
    if (node.tagName === 'a' && node.properties['name'] && !node.properties['id'])
      node.properties['id'] = node.properties['name']
    delete node.properties['name']
    const id = node.properties['id']
    if (id === undefined) return
    if (ids.has(String(id)) || String(id) === '' || /\s/.test(String(id))) delete node.properties['id']
    else ids.add(String(id))
  })
  nameComponents(tree, rules.style, ids)
  // A front matter title takes its id only if it is free.
  const isTitleLinked = first !== null || !ids.has(titleId)
  if (isTitleLinked) ids.add(titleId)
  return {
    title: first && toString(first).trim(),
    titleId: isTitleLinked ? titleId : null,
    headings: [...new Map(headings.toReversed().map((heading) => [heading.id, heading])).values()].toReversed(),
    ids,
  }
}

/** Gives components the id from `data-anchor`. Headings take precedence: they have their ids by now. */
const nameComponents = (tree: Root, style: Dialect, ids: Set<string>) => {
  walkTree(tree, 'element', (node) => {
    const text = node.properties['dataAnchor']
    if (text === undefined) return
    delete node.properties['dataAnchor']
    const id = createSlugger(style)(String(text))
    if (node.properties['id'] !== undefined || ids.has(id)) return
    node.properties['id'] = id
    ids.add(id)
  })
}

const takeId = (node: Element, slug: (text: string) => string) => {
  const own = takeOwnId(node)
  const existing = node.properties['id']
  if (existing !== undefined && existing !== '') return String(existing)
  return own ?? slug(toString(node).trim())
}

const takeTitle = (tree: Root, { title, isTitleFixed }: OutlineRules): Element | null => {
  let titleNode: Element | null = null
  walkTree(tree, 'element', (node, index, parent) => {
    if (node.tagName === 'template') return SKIP
    if (!/^h[1-6]$/.test(node.tagName)) return CONTINUE
    const text = toString(node).replace(ownId, '').trim()
    const isTitled = toBareId(text) === toBareId(title)
    const begins = parent === tree && tree.children.slice(0, index).every((before) => toString(before).trim() === '')
    if (text === '' || !(node.tagName === 'h1' ? isTitled || !isTitleFixed : isTitled && begins)) return EXIT
    parent!.children.splice(index!, 1)
    titleNode = node
    return EXIT
  })
  return titleNode
}

/** Translations write `%{#own-id}%`, because translation tools do not change it. */
const ownId = /\s*%?\{(?:\.[\w-]{1,50}\s+){0,5}#([^{}\s]{1,200})(?:\s+[.\w-][^{}\s]{0,100}){0,5}\s?\}%?\s*$/

/** Removes and returns the id of `Heading {#own-id}`. */
const takeOwnId = (node: Element): string | undefined => {
  const last = node.children.at(-1)
  if (last?.type !== 'text') return undefined
  const match = ownId.exec(last.value)
  if (!match) return undefined
  last.value = last.value.slice(0, match.index)
  return match[1]
}

/** Replaces `[[toc]]`, `[TOC]` and `[[_TOC_]]` by a list of headings. */
export const listContents = (tree: Root, headings: readonly Heading[]): void => {
  walkTree(tree, 'element', (node, index, parent) => {
    if (node.tagName === 'pre') return SKIP
    if (node.tagName !== 'p' || !parent || index === undefined) return undefined
    if (!/^(?:\[\[_?toc_?\]\]|\[toc\])$/i.test(toString(node).trim())) return undefined
    parent.children.splice(index, 1, ...(headings.length > 0 ? [buildList(headings)] : []))
    return [SKIP, index + 1]
  })
}

const buildList = (headings: readonly Heading[]) => {
  const list = h('ul')
  let inner: Element | null = null
  for (const { id, text, level } of headings) {
    const item = h('li', [h('a', { href: `#${encodeURIComponent(id)}` }, text)])
    const last = list.children.at(-1)
    if (level <= 2 || last?.type !== 'element') {
      list.children.push(item)
      inner = null
      continue
    }
    if (inner === null) last.children.push((inner = h('ul')))
    inner.children.push(item)
  }
  return list
}
