import { defaultTreeAdapter as tree, html, parse, parseFragment } from 'parse5'
import { SaxesParser } from 'saxes'
import { readMediaType } from '#media-type.ts'
import type { Document, Element } from './html.ts'

/** Parses a page as browsers do. XHTML follows the rules of XML: `<script/>` is complete, and names keep their case. */
export const parsePage = (text: string, path: string): Document =>
  readMediaType(path) === 'application/xhtml+xml' ? parseXml(text) : parse(text)

/** XML knows five names for characters, and browsers those of HTML in XHTML, too. */
const replaceEntities = (text: string) => {
  const known = new Map<string, string>()
  return text.replaceAll(/&(?!(?:amp|lt|gt|quot|apos);)[a-z][a-z\d]*;/gi, (entity) => {
    const [node] = known.has(entity) ? [] : parseFragment(entity).childNodes
    if (node !== undefined) known.set(entity, tree.isTextNode(node) ? node.value : entity)
    return known.get(entity) ?? entity
  })
}

const findNamespace = (name: string, parent: Document | Element): html.NS => {
  if (name === 'svg') return html.NS.SVG
  return 'tagName' in parent && parent.tagName !== 'foreignObject' ? parent.namespaceURI : html.NS.HTML
}

/** Goes on after errors, so that nothing after one stays unread. Prefixes are not resolved: that takes time by the depth of a page. */
export const parseXml = (text: string): Document => {
  const document = tree.createDocument()
  const open: (Document | Element)[] = [document]
  const add = (value: string) => tree.insertText(open.at(-1)!, value)
  const parser = new SaxesParser()
  parser.fail = () => parser
  parser.on('opentag', ({ name, attributes }) => {
    const parent = open.at(-1)!
    const local = name.slice(name.indexOf(':') + 1)
    const attributesHere = Object.entries(attributes).map(([written, value]) => ({
      name: written.replace(/^(?:xml|xlink):/, ''),
      value,
    }))
    const element = tree.createElement(local, findNamespace(local, parent), attributesHere)
    tree.appendChild(parent, element)
    open.push(element)
  })
  parser.on('closetag', () => void open.pop())
  parser.on('text', add)
  parser.on('cdata', add)
  parser.write(replaceEntities(text)).close()
  return document
}
