import type { ElementContent } from 'hast'
import { toString } from 'hast-util-to-string'
import { h } from 'hastscript'
import { classes, findTone, keep, paragraph, titled, type Component, type Components } from './component.ts'
import { buildTree } from './file-tree.ts'

/** Entry of a change log. */
const update: Component = (children, text, { inline, list }) => {
  const label = text('label')
  const tags = list('tags')
  return h('section', { className: ['update'], dataAnchor: label }, [
    h('div', { className: ['update-head'] }, [
      ...paragraph('update-title', inline('label', 'title')),
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
    text('stroke') !== null && 'outlined',
    text('disabled') !== null && 'disabled',
  )
  return h('span', { className: names }, [...inline('text', 'label', 'title'), ...children])
}

const view: Component = (children, text, { inline }) => {
  const title = inline('title')
  return titled('view', children, title.length > 0 ? title : [{ type: 'text', value: 'View' }], text('title'))
}

const tree: Component = (children) =>
  children.some((child) => child.type === 'element' && /^[uo]l$/.test(child.tagName))
    ? buildTree(children)
    : h('ul', { className: ['tree'] }, children.filter(isNotBlank).map(asItem))

const isNotBlank = (node: ElementContent) => node.type === 'element' || toString(node).trim() !== ''
const asItem = (node: ElementContent) => (node.type === 'element' && node.tagName === 'li' ? node : h('li', [node]))

const folder: Component = (children, text) =>
  h('li', { className: ['folder'] }, [
    h('details', { open: true }, [h('summary', `${(text('name') ?? '').replace(/\/$/, '')}/`), h('ul', children)]),
  ])

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
    return h('li', [
      text('name') ?? '',
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
