import { isUtf8 } from 'node:buffer'
import { SaxesParser, type SaxesTagNS } from 'saxes'

const svg = 'http://www.w3.org/2000/svg'
const xhtml = 'http://www.w3.org/1999/xhtml'

/** Elements that run something, or hold what is no drawing. */
const active = new Set('script foreignobject iframe embed object handler listener audio video canvas'.split(' '))
/** Elements that show a file; anything else may refer only to a part of the drawing itself. */
const images = new Set(['image', 'feimage'])

/**
 * Why an SVG must not be copied, or null. It is a document: opened by itself it could run scripts and load from anywhere, which an image
 * of it never does. It is read as a browser reads it, so that no encoding, prefix or character reference hides anything.
 */
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
    // Entities, and attributes that every element of a kind gets.
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
  for (const piece of pieces(content.toString('utf8'))) {
    parser.write(piece)
    if (problem !== null) return problem
  }
  parser.close()
  return problem
}

/** What is refused is mostly refused at its beginning. */
const pieces = function* (text: string) {
  for (let at = 0; at < text.length; at += 65_536) yield text.slice(at, at + 65_536)
}

const findTagProblem = ({ uri, local, attributes }: SaxesTagNS): string | null => {
  const name = local.toLowerCase()
  if (uri === xhtml) return 'it holds HTML'
  // Elements of other languages mean nothing to a browser.
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

/** Whether a text of CSS, or of an attribute that may hold some, loads anything but a part of the drawing and images within the text. */
const loadsSomething = (text: string) => {
  // Without blanks, for which a regular expression would have to look at every place twice.
  const css = text.replace(/\s+/g, '')
  return loading.test(css) || (css.includes('\\') && /[({@]/.test(css))
}

const loading =
  /@import|image-set\(|\bsrc\(|url\((?!["']?(?:#|data:(?:image\/(?:png|jpeg|gif|webp)|font|application\/(?:x-)?font)))/i
