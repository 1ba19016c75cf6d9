import { isUtf8 } from 'node:buffer'
import { SaxesParser, type SaxesTagNS } from 'saxes'

const svg = 'http://www.w3.org/2000/svg'
const xhtml = 'http://www.w3.org/1999/xhtml'

/** Elements that run code or embed documents. */
const active = new Set('script foreignobject iframe embed object handler listener audio video canvas'.split(' '))
/** Elements that may show an embedded image; others may refer only to fragments. */
const images = new Set(['image', 'feimage'])

/** Reason not to copy an SVG, or null. Opened alone, it could run scripts and load files. An XML parser sees through encodings, prefixes and references. */
export const findSvgProblem = (content: Buffer): string | null => {
  if (!isUtf8(content) || content.includes(0)) return 'it is not in UTF-8'
  const parser = new SaxesParser({ xmlns: true })
  let problem: string | null = null
  let isStyle = false
  const refuse = (reason: string) => void (problem ??= reason)
  parser.on('error', () => refuse('it is not well-formed XML'))
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding !== undefined && !/^(utf-?8|us-ascii)$/i.test(encoding)) refuse('it is not in UTF-8')
  })
  parser.on('doctype', (text) => {
    // An internal subset can define entities and default attributes.
    if (text.includes('[')) refuse('it has definitions of its own')
  })
  parser.on('processinginstruction', () => refuse('it has a processing instruction'))
  parser.on('opentag', (tag) => {
    isStyle = tag.local.toLowerCase() === 'style'
    const reason = findTagProblem(tag)
    if (reason !== null) refuse(reason)
  })
  parser.on('closetag', () => (isStyle = false))
  const onText = (text: string) => {
    if (isStyle && loadsSomething(text)) refuse('its styles load something')
  }
  parser.on('text', onText)
  parser.on('cdata', onText)
  for (const piece of splitPieces(content.toString('utf8'))) {
    parser.write(piece)
    if (problem !== null) return problem
  }
  parser.close()
  return problem
}

/** Parses the text piece by piece, because most problems are near its start. */
const splitPieces = function* (text: string) {
  for (let at = 0; at < text.length; at += 65_536) yield text.slice(at, at + 65_536)
}

const findTagProblem = ({ uri, local, attributes }: SaxesTagNS): string | null => {
  const name = local.toLowerCase()
  if (uri === xhtml) return 'it holds HTML'
  // Browsers ignore other namespaces.
  if (uri === svg && active.has(name)) return `it holds <${name}>`
  for (const attribute of Object.values(attributes)) {
    const key = attribute.local.toLowerCase()
    const value = attribute.value.replace(/[\s\p{Cc}]+/gu, '')
    if (key.startsWith('on')) return `it has ${key}`
    if (key === 'attributename' && /href|^on/i.test(value)) return `it animates ${value.slice(0, 40)}`
    if (/^(href|src|base)$/.test(key) && attribute.prefix !== 'xmlns' && !mayReferTo(name, value))
      return 'it refers to something outside'
    if (loadsSomething(attribute.value)) return 'its attributes load something'
  }
  return null
}

const mayReferTo = (element: string, address: string) =>
  address === '' ||
  address.startsWith('#') ||
  (images.has(element) && /^data:image\/(png|jpeg|gif|webp)[;,]/i.test(address))

/** True when CSS or an attribute loads anything but fragments and inline images. */
const loadsSomething = (text: string) => {
  // Blanks are removed first, so the expression takes linear time.
  const css = text.replace(/\s+/g, '')
  return loading.test(css) || (css.includes('\\') && /[({@]/.test(css))
}

const loading =
  /@import|image-set\(|\bsrc\(|url\((?!["']?(?:#|data:(?:image\/(?:png|jpeg|gif|webp)|font|application\/(?:x-)?font)))/i
