import { defaultTreeAdapter as tree, html, parse, parseFragment } from 'parse5'
import { SaxesParser } from 'saxes'
import { readMediaType } from '#media-type.ts'
import type { Document, Element } from './html.ts'

/** Parses a page as browsers do. XHTML follows the rules of XML: `<script/>` is complete, and names keep their case. */
export const parsePage = (text: string, path: string): Document =>
  readMediaType(path) === 'application/xhtml+xml' ? parseXhtml(text) : parse(text)

/** XML knows five names for characters, and browsers those of HTML in XHTML, too. */
const replaceEntities = (text: string) =>
  text.replaceAll(/&(?!(?:amp|lt|gt|quot|apos);)[a-z][a-z\d]*;/gi, (entity) => {
    const [node] = parseFragment(entity).childNodes
    return node !== undefined && tree.isTextNode(node) ? node.value : entity
  })

/** Goes on after errors, so that nothing after one stays unread. */
const parseXhtml = (text: string): Document => {
  const document = tree.createDocument()
  const open: (Document | Element)[] = [document]
  const add = (value: string) => tree.insertText(open.at(-1)!, value)
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', () => undefined)
  parser.on('opentag', ({ local, uri, attributes }) => {
    const attributesHere = Object.values(attributes).map(({ name, local: bare, prefix, value }) => ({
      name: prefix === 'xml' || prefix === 'xlink' ? bare : name,
      value,
    }))
    const element = tree.createElement(local, (uri || html.NS.HTML) as html.NS, attributesHere)
    tree.appendChild(open.at(-1)!, element)
    open.push(element)
  })
  parser.on('closetag', () => void open.pop())
  parser.on('text', add)
  parser.on('cdata', add)
  parser.write(replaceEntities(text)).close()
  return document
}
