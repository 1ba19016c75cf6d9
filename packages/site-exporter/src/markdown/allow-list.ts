import type { Element, ElementContent, Root } from 'hast'
import { sanitize, type Schema } from 'hast-util-sanitize'
import { componentNames } from '#markdown/components/components.ts'
import { findComponent, isCapitalised } from '#markdown/components/names.ts'
import { isSlotOfAttribute } from '#markdown/components/component.ts'
import { readableNames } from '#markdown/components/unknown.ts'
import { createDrawings } from '#markdown/components/inline-svg.ts'
import { noteClasses, readClasses, toUtilityClasses } from '#markdown/components/utilities.ts'
import { isHtmlElement } from '#markdown/mdx/raw-tags.ts'
import { isWord } from '#site/data.ts'
import type { Note } from './page-notes.ts'

const tags =
  `a abbr b blockquote br code dd del details div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i iframe img input ins
kbd li mark ol p picture pre q rp rt ruby s samp section small span strong sub summary sup table tbody td tfoot th thead tr tt u ul var video audio source`.split(
    /\s+/,
  )

const componentProperties = `${readableNames.join(' ')} name type default required deprecated tag cols columns
path query body header tip for value method img image repo icon icontype color horizontal arrow cta linktext defaultopen open hint tags
pre post placeholder initialvalue content variant kind size stepnumber groupid synckey group sync defaultvalue defaulttabindex values
pkg args dev src alt width height code lang language slot shape stroke disabled comment titlesize optional noanchor dropdown
filename highlight focus lines wrap expandable openable`.split(/\s+/)

/** Elements that are removed with their content. */
const stripped = 'script style template noscript object embed math svg head textarea select title'.split(' ')

const schema: Schema = {
  tagNames: [...tags, 'x-drawing', ...componentNames.map((name) => `x-${name}`)],
  strip: stripped,
  attributes: {
    '*': ['id', 'title', 'lang', 'dir', 'slot', 'dataUtility', 'dataApi', ['dataTheme', 'light', 'dark']],
    a: ['href', 'name', 'dataFootnoteRef', 'dataFootnoteBackref', 'ariaLabel'],
    img: ['src', 'alt', 'width', 'height'],
    video: ['src', ['controls', true], 'width', 'height'],
    audio: ['src', ['controls', true]],
    source: ['src', 'srcSet', 'media', 'type'],
    iframe: ['src'],
    code: [['className', /^language-[\w+#.-]+$/], 'dataMeta'],
    input: [['type', 'checkbox'], 'checked'],
    li: [['className', 'task-list-item']],
    ol: ['start', 'reversed'],
    h2: [['className', 'sr-only']],
    section: ['dataFootnotes'],
    td: ['align', 'colSpan', 'rowSpan'],
    th: ['align', 'colSpan', 'rowSpan', 'scope'],
    details: ['open'],
    'x-drawing': ['dataDrawing'],
    ...Object.fromEntries(componentNames.map((name) => [`x-${name}`, [...componentProperties, 'dataPart']])),
  },
  required: { input: { type: 'checkbox', disabled: true } },
  protocols: { href: ['http', 'https', 'mailto', 'tel'], src: ['http', 'https'] },
  clobber: [],
  ancestors: { tbody: ['table'], td: ['table'], th: ['table'], thead: ['table'], tfoot: ['table'], tr: ['table'] },
}

const dropped: ReadonlySet<string> = new Set([...stripped, 'form', 'link', 'meta', 'base'])

/** Renames components to `x-…` and removes everything that is not listed. Unknown elements keep their content and the text of their attributes; scripts and styles are removed. */
export const removeUnlisted = (tree: Root, note: Note): Root => {
  const remarks = new Set<string>()
  const classes = new Set<string>()
  const svg = createDrawings()
  const convert = (node: Element, parent: Element | Root) => {
    const { tagName } = node
    const name = tagName.toLowerCase()
    const component = findComponent(tagName)
    // A page could write this element itself to repeat a drawing.
    if (name === 'x-drawing') node.tagName = 'div'
    readClassNames(node, classes)
    if (name === 'svg' && svg.keep(node)) return
    for (const child of node.children) if (child.type === 'element') convert(child, node)
    if (component !== null) {
      node.properties = lowerCaseKeys(node.properties)
      for (const key of findIgnoredAttributes(node)) remarks.add(`${key} of <${tagName}>`)
      node.tagName = `x-${component}`
      node.properties['dataPart'] = tagName
    } else if (tags.includes(name)) {
      node.tagName = name
      if (!isCapitalised(tagName)) return
      remarks.add(`<${tagName}> (its content stays)`)
      showLiteralAttributes(node, parent)
    } else if (dropped.has(name) && (!isCapitalised(tagName) || /^(script|style)$/.test(name))) {
      remarks.add(`<${name}>`)
    } else if (isCapitalised(tagName) || !isHtmlElement(name)) {
      remarks.add(`<${tagName}> (its content stays)`)
      replaceUnknown(node, parent)
    }
  }
  for (const child of tree.children) if (child.type === 'element') convert(child, tree)
  for (const remark of remarks) note('left-out', remark)
  noteClasses(classes, note)
  return svg.restore(sanitize(tree, schema) as Root)
}

const blocks = /^(div|section|p|li|td|th|x-.*)$/

/** A component without text leaves a remark in the page if it is on a line of its own. */
const replaceUnknown = (node: Element, parent: Element | Root) => {
  const properties = lowerCaseKeys(node.properties)
  const hasWords = readableNames.some((name) => isWord(properties[name]))
  const slots = node.children.filter(
    (child) =>
      child.type === 'element' &&
      isWord(child.properties['slot']) &&
      !isSlotOfAttribute(String(child.properties['slot'])),
  )
  const isWithText = parent.children.some((child) => child !== node && !isBlank(child))
  const isInline = parent.type === 'element' && (!blocks.test(parent.tagName) || (parent.tagName === 'p' && isWithText))
  if (slots.length > 1 && !isInline) Object.assign(node, { tagName: 'x-slottabs', properties })
  else if (hasWords) Object.assign(node, { tagName: isInline ? 'x-unknown-inline' : 'x-unknown', properties })
  else if (!isInline && node.children.every(isBlank))
    Object.assign(node, { tagName: 'x-not-here', properties: { name: node.tagName }, children: [] })
  else return
  // A paragraph must not hold a block.
  if (!isInline && parent.type === 'element' && parent.tagName === 'p') parent.tagName = 'div'
}

const showLiteralAttributes = (node: Element, parent: Element | Root) => {
  const words = Object.entries(lowerCaseKeys(node.properties)).filter(
    ([key, value]) => key !== 'title' && readableNames.includes(key) && isWord(value),
  )
  if (words.length === 0 || node.tagName === 'a') return
  const inner: Element = { ...node }
  Object.assign(node, { properties: Object.fromEntries(words), children: [inner] })
  replaceUnknown(node, parent)
}

const isBlank = (node: ElementContent | Root['children'][number]): boolean => {
  if (node.type === 'text') return node.value.trim() === ''
  if (node.type !== 'element') return true
  if (node.tagName === 'x-not-here') return true
  if (/^(img|video|audio|iframe|input|hr|br|x-.*)$/.test(node.tagName)) return false
  return node.children.every(isBlank)
}

/** Attributes of components are matched in lower case. */
const lowerCaseKeys = (properties: Element['properties']): Element['properties'] =>
  Object.fromEntries(
    Object.entries(properties).map(([key, value]) => [
      /^(data[A-Z]|className)/.test(key) ? key : key.toLowerCase(),
      value,
    ]),
  )

const honoured = new Set([...componentProperties, 'id', 'lang', 'dir', 'className', 'class', 'key'])
const findIgnoredAttributes = ({ properties }: Element) =>
  Object.keys(properties).filter((key) => !honoured.has(key) && !/^(data|aria)/.test(key))

const readClassNames = (node: Element, all: Set<string>) => {
  const names = readClasses(node)
  // Vue's documentation has the text of its badges in an attribute.
  const { dataText } = node.properties
  if (names.includes('vt-badge') && typeof dataText === 'string' && node.children.length === 0)
    node.children.push({ type: 'text', value: dataText })
  const api = names.find((name) => name === 'options-api' || name === 'composition-api')
  const theme = findTheme(node, names)
  for (const key of ['dataApi', 'dataTheme', 'dataUtility']) delete node.properties[key]
  if (api) node.properties['dataApi'] = api
  if (theme !== null) node.properties['dataTheme'] = theme
  const utilities = toUtilityClasses(names, theme !== null)
  if (utilities !== '') node.properties['dataUtility'] = utilities
  if (/-(flex|grid)( |$)/.test(utilities)) node.children = node.children.flatMap(unwrapRowParagraph)
  for (const name of names) if (name !== api) all.add(name)
}

/** Makes the elements of a single paragraph direct items of the flex box or grid around it, as in MDX. */
const unwrapRowParagraph = (child: ElementContent): ElementContent[] =>
  child.type === 'element' &&
  child.tagName === 'p' &&
  child.children.every((piece) => piece.type === 'element' || isBlank(piece))
    ? child.children
    : [child]

/** Theme (light or dark) in which an element is shown, from its utility classes or the marks of code hosts; null for both. */
const findTheme = (node: Element, names: readonly string[]): 'light' | 'dark' | null => {
  const { src } = node.properties
  const hash = typeof src === 'string' ? /#(?:gh-)?(light|dark)(?:-mode)?-only$/.exec(src)?.[1] : undefined
  if (names.includes('dark:hidden') || names.includes('light-only') || hash === 'light') return 'light'
  const isDark = names.some((name) => /^(dark:(block|inline|inline-block|flex)|dark-only)$/.test(name))
  return isDark || hash === 'dark' ? 'dark' : null
}
