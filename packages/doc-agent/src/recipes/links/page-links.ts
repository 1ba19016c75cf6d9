import type { Nodes, Root } from 'mdast'
import { visit } from 'unist-util-visit'
import { toSpan } from '#recipes/docs/pages.ts'

export type PageLink = { start: number; end: number; raw: string }

const inlineEnd = /\]\(\s*(<[^<>\n]*>|[^\s<>]*?)(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*\)$/
const definition = /^\[(?:[^\]\\]|\\.)*\]:\s*(<[^<>\n]*>|\S+)/
// A name after a colon is a binding of Vue, whose value is an expression.
const attribute = /(?<=[\s"'])(href|src)\s*=\s*(?:"([^"\n]*)"|'([^'\n]*)')/g

export const listLinks = (tree: Root, text: string): PageLink[] => {
  const links: PageLink[] = []
  const add = (start: number, raw: string, url: string) => {
    const isWrapped = raw.startsWith('<') && raw.endsWith('>')
    const inner = isWrapped ? raw.slice(1, -1) : raw
    if (inner !== '' && inner === url)
      links.push({ start: start + Number(isWrapped), end: start + Number(isWrapped) + inner.length, raw: inner })
  }
  visit(tree, (node) => {
    const { start, end } = toSpan(node)
    const source = text.slice(start, end)
    if (node.type === 'link' || node.type === 'image') {
      const match = inlineEnd.exec(source)
      if (match) add(start + match.index + match[0].indexOf(match[1]!, 2), match[1]!, node.url)
    } else if (node.type === 'definition') {
      const match = definition.exec(source)
      if (match) add(start + match[0].length - match[1]!.length, match[1]!, node.url)
    } else if (node.type === 'html' || isElement(node)) {
      const length = node.type === 'html' ? source.length : measureOpeningTag(node, source)
      // Comments and code do not render as links.
      if (/^<(!--|script|style|pre|code)/i.test(source)) return
      for (const match of source.slice(0, length).matchAll(attribute)) {
        const value = match[2] ?? match[3]!
        if (node.type === 'html' || hasAttribute(node, match[1]!, value))
          add(start + match.index + match[0].length - 1 - value.length, value, value)
      }
    }
  })
  return links.toSorted((a, b) => a.start - b.start)
}

type Element = Nodes & { attributes: { name?: unknown; value?: unknown }[]; children: Nodes[] }

const isElement = (node: { type: string }): node is Element => /^mdxJsx(Flow|Text)Element$/.test(node.type)

const measureOpeningTag = (node: Element, source: string) => {
  const [first] = node.children
  return first ? toSpan(first).start - toSpan(node).start : source.length
}

const hasAttribute = (node: Element, name: string, value: string) =>
  node.attributes.some((one) => one.name === name && one.value === value)
