import type { ElementContent } from 'hast'
import { toString } from 'hast-util-to-string'
import { h } from 'hastscript'
import { classes, findTone, keep, paragraph, plainText, titled, type Component, type Components } from './component.ts'
import { buildTree } from './file-tree.ts'

/** Entry of a change log. */
const update: Component = (children, _, { inline, list }) => {
  const label = inline('label', 'title')
  const tags = list('tags')
  return h('section', { className: ['update'], dataAnchor: plainText(label) }, [
    h('div', { className: ['update-head'] }, [
      ...paragraph('update-title', label),
      ...paragraph('update-text', inline('description')),
      ...(tags.length > 0
        ? [
            h(
              'ul',
              { className: ['tags'] },
              tags.map((tag) => h('li', { className: ['badge'] }, tag)),
            ),
          ]
        : []),
    ]),
    h('div', { className: ['update-body'] }, children),
  ])
}

const badge: Component = (children, text, { inline }) => {
  const tone = findTone(text('color') ?? text('variant') ?? text('type'))
  const size = text('size')
  const names = classes(
    'badge',
    tone && `tone-${tone}`,
    size !== null && /^(xs|small|sm)$/.test(size) && 'small',
    text('shape') === 'rounded' && 'square',
    (text('stroke') !== null || text('variant') === 'outline') && 'outlined',
    text('disabled') !== null && 'disabled',
  )
  return h('span', { className: names }, [...inline('text', 'label', 'title'), ...children])
}

const view: Component = (children, _, { inline }) => {
  const title = inline('title')
  return titled('view', children, title.length > 0 ? title : [{ type: 'text', value: 'View' }], plainText(title))
}

const tree: Component = (children) =>
  children.some((child) => child.type === 'element' && /^[uo]l$/.test(child.tagName))
    ? buildTree(children)
    : h('ul', { className: ['tree'] }, children.filter(isNotBlank).map(asItem))

const isNotBlank = (node: ElementContent) => node.type === 'element' || toString(node).trim() !== ''
const asItem = (node: ElementContent) => (node.type === 'element' && node.tagName === 'li' ? node : h('li', [node]))

const folder: Component = (children, text, { isOff }) => {
  const name = `${(text('name') ?? '').replace(/\/$/, '')}/`
  const label = text('highlight') === null ? name : h('strong', name)
  const content = isOff('openable')
    ? [h('p', label), h('ul', children)]
    : [h('details', { open: text('defaultopen') !== null }, [h('summary', label), h('ul', children)])]
  return h('li', { className: ['folder'] }, content)
}

/** Parts of a page, trees of files, change logs, badges. */
export const layoutFamily: Components = {
  update,
  badge,
  view,
  tree,
  filetree: tree,
  'tree.folder': folder,
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
    h('div', { className: ['panel'] }, [...paragraph('part-title', inline('title')), ...children]),
  visibility: (children, text) => (text('for') === 'agents' ? [] : children),
  fragment: keep,
  label: keep,
}
