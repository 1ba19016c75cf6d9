import type { DefaultTreeAdapterTypes as Tree } from 'parse5'
import { readAttribute, isElement, isText, walkTree } from '#pages/html.ts'
import { readPlace } from './landmarks.ts'
import { readControl, readSign, readState } from './marks.ts'

/** A paragraph, heading, item, cell or line of code with single spaces. */
export type Block = { element: string; text: string }

export type Heading = { level: number; text: string; id: string }

/** `marks`: what readers notice beside the text, each with its place in the text. */
export type MainText = { blocks: Block[]; headings: Heading[]; elements: Tree.Element[]; marks: string[] }

/** Elements that start a block. A `named` one gives the block its name. */
const blockKinds = new Map<string, 'heading' | 'named' | 'other'>([
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name) => [name, 'heading'] as const),
  ...'p li dt dd td th pre blockquote figcaption caption summary'.split(' ').map((name) => [name, 'named'] as const),
  ...'address article aside center details dialog div dl fieldset figure footer form header hgroup hr legend main menu nav ol section table tbody tfoot thead tr ul'
    .split(' ')
    .map((name) => [name, 'other'] as const),
])
/** A paragraph in one of these elements counts as that element. */
const outerBlocks = new Set(['li', 'dt', 'dd', 'td', 'th', 'blockquote'])
const shownElements = new Set(['a', 'img', 'source', 'video', 'audio', 'embed', 'object', 'iframe', 'image', 'track'])

/** Characters before a mark that tell its place. */
const contextLength = 20

const invisible = /[\u00ad\u200b\u2060\ufeff]/
const allInvisible = new RegExp(invisible, 'g')
const builtAt =
  /^(?:page )?(?:last (?:updated?|modified|changed?|edited|built|published)|updated on|built on|generated (?:on|at)|zuletzt (?:aktualisiert|geändert)|letzte (?:aktualisierung|änderung)|dernière mise à jour|última actualización|最后更新|最終更新)/i

/** Reads the main content without what surrounds the text. `isBody`: landmarks in it are not content. `withMarks` writes marks into the text, too. */
export const readMainText = (main: Tree.Element, isBody = false, withMarks = false): MainText => {
  const marks: string[] = []
  const blocks: Block[] = []
  const headings: Heading[] = []
  const elements: Tree.Element[] = []
  const names: string[] = []
  let quotes = 0
  let code = 0
  let buffer = ''
  let headingStart = 0

  const mark = (text: string) => {
    if (text === '') return
    const before = buffer.slice(-2 * contextLength).replaceAll(/\s+/g, '')
    marks.push(`${blocks.length} ${before.slice(-contextLength)} ${text}`)
    if (withMarks) buffer += text.startsWith('[') ? ` ${text} ` : text
  }

  const flush = () => {
    if (buffer === '') return
    const text = invisible.test(buffer) ? buffer.replaceAll(allInvisible, '') : buffer
    buffer = ''
    const element = names.at(-1) ?? 'p'
    if (code > 0) {
      for (const line of text.split('\n')) if (line.trim() !== '') blocks.push({ element: 'pre', text: line.trimEnd() })
      return
    }
    const line = text.replace(/\s+/g, ' ').trim()
    if (line === '' || (line.length < 120 && builtAt.test(line))) return
    blocks.push({ element, text: line })
  }

  const isSkipped = (element: Tree.Element) => {
    const { isSilent, landmark } = readPlace(element)
    if (isSilent) {
      // A frame shows a page although its own text is silent.
      if (element.tagName === 'iframe') elements.push(element)
      mark(readControl(element))
      return true
    }
    if (shownElements.has(element.tagName)) elements.push(element)
    if (landmark === null) return false
    if (landmark === 'footer') return quotes === 0
    // An aside within the main content is a note.
    return (
      isBody || (landmark === 'navigation' && (element.tagName === 'nav' || readAttribute(element, 'role') !== null))
    )
  }

  walkTree(
    main,
    (node) => {
      if (isText(node)) {
        buffer += node.value
        return false
      }
      if (!isElement(node) || isSkipped(node)) return false
      const name = node.tagName
      if (name === 'br') buffer += '\n'
      else if (name === 'img') buffer += ` ${readAttribute(node, 'alt') ?? ''} `
      else if (name === 'a' && isPermalink(node)) {
        elements.pop()
        return false
      }
      const kind = blockKinds.get(name)
      if (kind !== undefined) flush()
      mark(readState(node) + readSign(node))
      if (kind === undefined) return true
      if (kind !== 'other') names.push(name === 'p' && outerBlocks.has(names.at(-1) ?? '') ? names.at(-1)! : name)
      if (kind === 'heading') headingStart = blocks.length
      else if (name === 'pre') code++
      else if (name === 'blockquote' || name === 'figure') quotes++
      return true
    },
    (element) => {
      const name = element.tagName
      mark(readSign(element))
      const kind = blockKinds.get(name)
      if (kind === undefined) return
      flush()
      if (kind !== 'other') names.pop()
      if (name === 'pre') code--
      else if (name === 'blockquote' || name === 'figure') quotes--
      if (kind !== 'heading') return
      const text = blocks
        .slice(headingStart)
        .map((block) => block.text)
        .join(' ')
      // Each of several nested headings has its own text.
      headingStart = blocks.length
      if (text !== '') headings.push({ level: Number(name[1]), text, id: findHeadingId(element) })
    },
  )
  flush()
  return { blocks, headings, elements, marks }
}

/** Maximum nodes to visit below one element, because hostile pages nest the same ones below many. */
const maxLooks = 200

const isPermalink = (link: Tree.Element) => {
  if (!readAttribute(link, 'href')?.includes('#')) return false
  let [text, looks] = ['', 0]
  walkTree(link, (node) => {
    if (isText(node)) text += node.value
    return text.length < 40 && node.nodeName !== 'img' && looks++ < maxLooks
  })
  const isEmpty = /^[\s\u200b\u2060\ufeff¶#§🔗]*$/u.test(text)
  return isEmpty && !link.childNodes.some((node) => node.nodeName === 'img')
}

const findHeadingId = (heading: Tree.Element): string => {
  let [id, looks] = [readAttribute(heading, 'id') ?? '', 0]
  if (id === '') {
    walkTree(heading, (node) => {
      if (id === '' && isElement(node)) id = readAttribute(node, 'id') ?? readAttribute(node, 'name') ?? ''
      return id === '' && looks++ < maxLooks
    })
  }
  const parent = heading.parentNode
  if (id === '' && parent && isElement(parent) && (parent.tagName === 'section' || parent.tagName === 'div'))
    id = readAttribute(parent, 'id') ?? ''
  return id
}
