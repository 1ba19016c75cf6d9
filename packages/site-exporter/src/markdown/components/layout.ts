import type { ElementContent, Element } from 'hast'
import { toString } from 'hast-util-to-string'
import { h } from 'hastscript'
import { fillWording } from '#site/words.ts'
import {
  listClasses,
  findTone,
  keepChildren,
  renderParagraph,
  readPlainText,
  renderTitled,
  type Component,
  type Components,
} from './component.ts'

const renderUpdate: Component = (children, _, { inline, list }) => {
  const label = inline('label', 'title')
  const tags = list('tags').map((tag) => h('li', { className: ['badge'] }, tag))
  return h('section', { className: ['update'], dataAnchor: readPlainText(label) }, [
    h('div', { className: ['update-head'] }, [
      ...renderParagraph('update-title', label),
      ...renderParagraph('update-text', inline('description')),
      ...(tags.length > 0 ? [h('ul', { className: ['tags'] }, tags)] : []),
    ]),
    h('div', { className: ['update-body'] }, children),
  ])
}

const renderBadge: Component = (children, text, { inline }) => {
  const tone = findTone(text('color') ?? text('variant') ?? text('type'))
  const size = text('size')
  const names = listClasses(
    'badge',
    tone && `tone-${tone}`,
    size !== null && /^(xs|small|sm)$/.test(size) && 'small',
    text('shape') === 'rounded' && 'square',
    (text('stroke') !== null || text('variant') === 'outline') && 'outlined',
    text('disabled') !== null && 'disabled',
  )
  return h('span', { className: names }, [...inline('text', 'label', 'title'), ...children])
}

const renderView: Component = (children, _, { inline, words }) => {
  const title = inline('title')
  return renderTitled(
    'view',
    children,
    title.length > 0 ? title : [{ type: 'text', value: words.content.view }],
    readPlainText(title),
  )
}

const renderTree: Component = (children) =>
  children.some((child) => child.type === 'element' && /^[uo]l$/.test(child.tagName))
    ? buildTree(children)
    : h('ul', { className: ['tree'] }, children.filter(isNotBlank).map(wrapInItem))

const isNotBlank = (node: ElementContent) => node.type === 'element' || toString(node).trim() !== ''
const wrapInItem = (node: ElementContent) => (node.type === 'element' && node.tagName === 'li' ? node : h('li', [node]))

const renderFolder: Component = (children, text, { isOff }) => {
  const name = `${(text('name') ?? '').replace(/\/$/, '')}/`
  const label = text('highlight') === null ? name : h('strong', name)
  const content = isOff('openable')
    ? [h('p', label), h('ul', children)]
    : [h('details', { open: text('defaultopen') !== null }, [h('summary', label), h('ul', children)])]
  return h('li', { className: ['folder'] }, content)
}

export const layoutFamily: Components = {
  update: renderUpdate,
  badge: renderBadge,
  view: renderView,
  tree: renderTree,
  filetree: renderTree,
  'tree.folder': renderFolder,
  'tree.file': (children, text) => {
    const comment = text('comment')
    const name = text('name') ?? ''
    return h('li', [
      text('highlight') === null ? name : h('strong', name),
      ...(comment === null ? [] : [' ', h('span', { className: ['more'] }, comment)]),
      ...children,
    ])
  },
  panel: (children, _, { inline }) =>
    h('div', { className: ['panel'] }, [...renderParagraph('part-title', inline('title')), ...children]),
  // Only the Markdown copy shows the content of a template.
  visibility: (children, text) =>
    text('for') === 'agents' ? { type: 'element', tagName: 'template', properties: {}, children } : children,
  fragment: keepChildren,
  label: keepChildren,
}

/** Makes a file tree from a list. Items that contain a list or end in a slash are folders. */
const buildTree = (children: readonly ElementContent[]): ElementContent => {
  const lists = children.filter((child) => child.type !== 'text' || child.value.trim() !== '')
  return h(
    'div',
    { className: ['tree'] },
    lists.map((child) => (isList(child) ? renderFileList(child, ['tree-list']) : child)),
  )
}

const isList = (node: ElementContent): node is Element => node.type === 'element' && /^[uo]l$/.test(node.tagName)

const renderFileList = (node: Element, className: string[] | null = null): Element =>
  h(
    'ul',
    { className },
    node.children.flatMap((child) => (child.type === 'element' ? [renderFileItem(child)] : [])),
  )

const renderFileItem = (node: Element): Element => {
  // A loose Markdown list wraps its text in paragraphs.
  const parts = node.children.flatMap((child): ElementContent[] =>
    child.type === 'element' && child.tagName === 'p' ? child.children : [child],
  )
  const inner = parts.filter(isList)
  const label = parts.filter((part) => !isList(part))
  const text = label
    .map((part) => toString(part))
    .join('')
    .trim()
  const isFolder = inner.length > 0 || /^\S*\/(\s|$)/.test(text)
  const lists = inner.map((part) => renderFileList(part))
  if (!isFolder) return h('li', { className: [/^(\.{3}|…)$/.test(text) ? 'more' : 'file'] }, label)
  return h(
    'li',
    { className: ['folder'] },
    inner.length > 0 ? [h('details', { open: true }, [h('summary', label), ...lists])] : label,
  )
}

/** Numbered steps. The items of an ordered list inside become steps. */
const renderSteps: Component = (children, text) => {
  const items = children.flatMap((child): ElementContent[] => {
    if (child.type !== 'element') return toString(child).trim() === '' ? [] : [renderPlainItem(child)]
    if (child.tagName === 'ol') return child.children.filter((item) => item.type === 'element')
    return [child.tagName === 'li' ? child : renderPlainItem(child)]
  })
  for (const item of items) sizeStepTitle(item, text('titlesize') ?? '')
  const list = children.find((child): child is Element => child.type === 'element' && child.tagName === 'ol')
  return h('ol', { className: ['steps'], start: list?.properties['start'] as number | undefined }, items)
}

/** Title sizes that make a step title a heading, which the table of contents lists. */
const headings = /^h[2-4]$/

/** Applies the title size of the list to steps without their own. */
const sizeStepTitle = (item: ElementContent, size: string) => {
  if (item.type !== 'element' || !headings.test(size)) return
  const title = item.children.find(
    (child): child is Element =>
      child.type === 'element' && child.tagName === 'p' && String(child.properties['className']) === 'step-title',
  )
  if (title) title.tagName = size
}

const renderPlainItem = (child: ElementContent) => h('li', { className: ['no-step'] }, [child])

const renderStep: Component = (children, text, { inline }) => {
  const title = inline('title')
  const number = text('stepnumber')
  const size = text('titlesize') ?? ''
  return h(
    'li',
    {
      dataAnchor: text('noanchor') === null ? readPlainText(title) : null,
      value: number && /^\d{1,4}$/.test(number) ? number : null,
    },
    [
      ...(title.length > 0 ? [h(headings.test(size) ? size : 'p', { className: ['step-title'] }, title)] : []),
      ...renderParagraph('step-text', inline('description')),
      ...children,
    ],
  )
}

export const stepFamily: Components = { steps: renderSteps, step: renderStep }

const renderField: Component = (children, text, { inline, isOff, list, words }) => {
  const { content } = words
  const name = (fact: string, value: string | null) => value && fillWording(words, fact, { value })
  const place = (['path', 'query', 'body', 'header'] as const).find((name) => text(name) !== null)
  const field = text('name') ?? (place ? text(place) : null) ?? ''
  const facts = [
    text('type'),
    place !== undefined && place !== 'body' ? content[`in ${place}`] : null,
    text('required') && content.required,
    text('optional') && content.optional,
    text('deprecated') && content.deprecated,
    name(content.default, text('default') ?? (isOff('default') ? 'false' : null)),
    name(content.initialValue, text('initialvalue')),
    name(content.example, text('placeholder')),
  ]
  const showFact = (fact: string) => {
    const name = fact === content.required ? 'required' : fact === content.deprecated ? 'deprecated' : null
    return [' ', h('span', { className: name }, fact)]
  }
  const labels = (key: string) => list(key).map((label) => h('span', { className: ['field-label'] }, label))
  return h('div', { className: ['field'], dataAnchor: field && `param-${field.replaceAll('.', '-')}` }, [
    h('p', { className: ['field-name'] }, [
      ...labels('pre').flatMap((label) => [label, ' ']),
      h('code', field),
      ...facts.filter((fact) => fact !== null).flatMap(showFact),
      ...labels('post').flatMap((label) => [' ', label]),
    ]),
    ...inline('description'),
    ...children,
  ])
}

export const fieldFamily: Components = { paramfield: renderField, responsefield: renderField, property: renderField }
