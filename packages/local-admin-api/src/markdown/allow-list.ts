import type { Element, Root } from 'hast'
import { sanitize, type Schema } from 'hast-util-sanitize'
import { visit } from 'unist-util-visit'
import { componentNames } from '#markdown/components.ts'
import type { Note } from '#markdown/page-notes.ts'

const tags =
  `a abbr b blockquote br code dd del details div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i iframe img input ins
kbd li mark ol p picture pre q rp rt ruby s samp section small span strong sub summary sup table tbody td tfoot th thead tr tt u ul var video audio source`.split(
    /\s+/,
  )

const componentProperties =
  `title href label name type default required deprecated description tag cols path query body header caption
tip for value method`.split(/\s+/)

const schema: Schema = {
  tagNames: [...tags, ...componentNames.map((name) => `x-${name}`)],
  strip: [
    'script',
    'style',
    'template',
    'noscript',
    'object',
    'embed',
    'math',
    'svg',
    'head',
    'textarea',
    'select',
    'title',
  ],
  attributes: {
    '*': ['id', 'title', 'lang', 'dir'],
    a: ['href', 'name', 'dataFootnoteRef', 'dataFootnoteBackref', 'ariaLabel'],
    img: ['src', 'alt', 'width', 'height'],
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

/** Renames components to `x-…`, then keeps only what is on the list. Of unknown elements the content stays; of scripts and styles nothing. */
export const onlyAllowed = (tree: Root, note: Note): Root => {
  const unknown = new Set<string>()
  visit(tree, 'element', (node: Element) => {
    const name = node.tagName.toLowerCase()
    if (known.has(name)) node.tagName = `x-${name}`
    else if (!tags.includes(name)) unknown.add(node.tagName)
    else node.tagName = name
    if (/^(script|style|object|embed|svg|math|form|link|meta|base)$/.test(name)) dropMessage(name, note)
  })
  for (const name of unknown) {
    if (!/^(script|style|object|embed|svg|math|form|link|meta|base|g|path|rect|circle|line|text|defs)$/i.test(name))
      note('left-out', `<${name}> (its content stays)`)
  }
  return sanitize(tree, schema) as Root
}

const dropMessage = (name: string, note: Note) => note('left-out', `<${name}>`)
