import type { Element, Root } from 'hast'
import { sanitize, type Schema } from 'hast-util-sanitize'
import { visit } from 'unist-util-visit'
import { componentNames } from './components.ts'
import type { Note } from './page-notes.ts'
import { isHtmlElement } from '#markdown/mdx/raw-tags.ts'

const tags =
  `a abbr b blockquote br code dd del details div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i iframe img input ins
kbd li mark ol p picture pre q rp rt ruby s samp section small span strong sub summary sup table tbody td tfoot th thead tr tt u ul var video audio source`.split(
    /\s+/,
  )

const componentProperties =
  `title href label name type default required deprecated description tag cols path query body header caption
tip for value method text details link img repo`.split(/\s+/)

const schema: Schema = {
  tagNames: [...tags, ...componentNames.map((name) => `x-${name}`)],
  strip: 'script style template noscript object embed math svg head textarea select title'.split(' '),
  attributes: {
    '*': ['id', 'title', 'lang', 'dir'],
    a: ['href', 'name', 'dataFootnoteRef', 'dataFootnoteBackref', 'ariaLabel'],
    img: ['src', 'alt', 'width', 'height', ['dataTheme', 'light', 'dark']],
    video: ['src', ['controls', true], 'width', 'height'],
    audio: ['src', ['controls', true]],
    source: ['src'],
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
    ...Object.fromEntries(componentNames.map((name) => [`x-${name}`, componentProperties])),
  },
  required: { input: { type: 'checkbox', disabled: true } },
  protocols: { href: ['http', 'https', 'mailto', 'tel'], src: ['http', 'https'] },
  clobber: [],
  ancestors: { tbody: ['table'], td: ['table'], th: ['table'], thead: ['table'], tfoot: ['table'], tr: ['table'] },
}

const known = new Set<string>(componentNames)

/** Elements that are removed with their content. */
const dropped = /^(script|style|object|embed|svg|math|form|link|meta|base)$/
const blocks = new Set(['root', 'div', 'section', 'p'])

/** Renames components to `x-…` and removes everything off the list. Unknown elements keep their content; scripts and styles lose it. */
export const onlyAllowed = (tree: Root, note: Note): Root => {
  const unknown = new Set<string>()
  visit(tree, 'element', (node, index, parent) => {
    const name = node.tagName.toLowerCase()
    const isKnown = known.has(name)
    if (name === 'img') markTheme(node)
    if (isKnown) node.tagName = `x-${name}`
    else if (tags.includes(name)) node.tagName = name
    else if (dropped.test(name)) note('left-out', `<${name}>`)
    else if (!isHtmlElement(name)) {
      unknown.add(node.tagName)
      const isAlone = parent && index !== undefined && blocks.has(parent.type === 'root' ? 'root' : readTagName(parent))
      if (
        isAlone &&
        isBlank(node) &&
        !(readTagName(parent) === 'p' && parent.children.some((child) => child !== node && !isBlank(child)))
      ) {
        node.properties = { ...node.properties, name: node.tagName }
        node.tagName = 'x-not-here'
        node.children = []
        if (readTagName(parent) === 'p') Object.assign(parent, { tagName: 'div' })
      }
    }
  })
  for (const name of unknown) note('left-out', `<${name}> (its content stays)`)
  return sanitize(tree, schema) as Root
}

const readTagName = (node: object) => ('tagName' in node ? String(node.tagName) : '')

const isBlank = (node: object): boolean =>
  'value' in node
    ? String(node.value).trim() === ''
    : !/^(img|video|audio|iframe|input|hr|br)$/.test(readTagName(node)) &&
      (!('children' in node) || (node.children as object[]).every(isBlank))

/** Marks image pairs for light and dark pages, by utility class or by the marks of code hosts. */
const markTheme = (node: Element) => {
  const classes = ([] as unknown[])
    .concat(node.properties['className'] ?? [])
    .join(' ')
    .split(/\s+/)
  const { src } = node.properties
  const hash = typeof src === 'string' ? /#(?:gh-)?(light|dark)(?:-mode)?-only$/.exec(src)?.[1] : undefined
  if (classes.includes('dark:hidden') || classes.includes('light-only') || hash === 'light')
    node.properties['dataTheme'] = 'light'
  else if (/(^| )(dark:(block|inline|inline-block|flex)|dark-only)( |$)/.test(classes.join(' ')) || hash === 'dark')
    node.properties['dataTheme'] = 'dark'
}
