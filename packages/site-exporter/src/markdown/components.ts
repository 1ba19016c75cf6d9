import type { ElementContent, Properties, Root } from 'hast'
import { h } from 'hastscript'

/** Renders a component as plain elements. `text` reads an attribute. */
type Component = (
  children: ElementContent[],
  text: (name: string) => string | null,
) => ElementContent | ElementContent[]

const callout =
  (kind: string, word: string): Component =>
  (children, text) =>
    h('div', { className: ['callout', kind], role: 'note' }, [
      h('p', { className: ['callout-title'] }, text('title') ?? word),
      ...children,
    ])

const titled = (className: string, children: ElementContent[], title: string | null, anchor = title) =>
  h('div', { className: [className], dataAnchor: anchor }, [
    ...(title ? [h('p', { className: [`${className}-title`] }, title)] : []),
    ...children,
  ])

const keep: Component = (children) => children

const cards: Component = (children, text) => {
  const columns = text('cols')
  return h(
    'div',
    { className: ['cards', ...(columns && /^[1-4]$/.test(columns) ? [`cols-${columns}`] : [])] },
    children,
  )
}

const card: Component = (children, text) => {
  const href = text('href')
  const title = text('title') ?? text('label') ?? href ?? ''
  const [image, description] = [text('img'), text('description')]
  return h('div', { className: ['card'] }, [
    ...(image ? [h('img', { src: image, alt: '' })] : []),
    h('p', { className: ['card-title'] }, href ? h('a', { href }, title) : title),
    ...(description ? [h('p', description)] : []),
    ...children,
  ])
}

const tabs: Component = (children) => h('div', { className: ['tabs'] }, children)
const tab: Component = (children, text) => titled('tab', children, text('title') ?? text('label') ?? 'Tab')

const accordion: Component = (children, text) =>
  h('details', { className: ['accordion'], dataAnchor: text('title') }, [
    h('summary', text('title') || 'Details'),
    h('div', children),
  ])

const field: Component = (children, text) => {
  const name = ['name', 'path', 'query', 'body', 'header'].map(text).find((value) => value !== null) ?? ''
  const facts = [
    text('type'),
    text('required') && 'required',
    text('deprecated') && 'deprecated',
    text('default') && `default: ${text('default')}`,
  ]
  return h('div', { className: ['field'], dataAnchor: name && `param-${name.replaceAll('.', '-')}` }, [
    h('p', { className: ['field-name'] }, [
      h('code', name),
      ...facts
        .filter((fact) => fact !== null)
        .flatMap((fact) => [' ', h('span', fact === 'required' ? { className: ['required'] } : {}, fact)]),
    ]),
    ...children,
  ])
}

/** Prompt for readers to copy into another tool. */
const prompt: Component = (children, text) =>
  h('div', { className: ['callout', 'note', 'prompt'], role: 'note' }, [
    h('p', { className: ['callout-title'] }, ['Prompt', text('description')].filter(Boolean).join(': ')),
    ...children,
  ])

const repository: Component = (_, text) => {
  const name = text('repo') ?? ''
  if (!/^[\w.-]+\/[\w.-]+$/.test(name)) return []
  const href = `https://github.com/${name}`
  return h('div', { className: ['card'] }, [h('p', { className: ['card-title'] }, h('a', { href }, name))])
}

/** Shows the attributes of a component that works only on its own site, or says that the component is missing. */
const unknown: Component = (_, text) => {
  const title = text('title') ?? text('label') ?? text('text')
  const description = text('description') ?? text('details')
  const href = text('href') ?? text('link')
  if (!title && !description && !href) {
    const name = text('name')
    return h('p', { className: ['not-here'] }, [
      `An interactive part of the original page${name ? ` (${name})` : ''} is not in this copy.`,
    ])
  }
  return h('div', { className: ['card'] }, [
    h('p', { className: ['card-title'] }, href ? h('a', { href }, title ?? href) : (title ?? '')),
    ...(description ? [h('p', description)] : []),
  ])
}

const components: Readonly<Record<string, Component>> = {
  note: callout('note', 'Note'),
  info: callout('info', 'Info'),
  callout: callout('note', 'Note'),
  tip: callout('tip', 'Tip'),
  check: callout('tip', 'Check'),
  warning: callout('warning', 'Warning'),
  danger: callout('danger', 'Danger'),
  cardgroup: cards,
  columns: cards,
  column: keep,
  tiles: cards,
  card,
  tile: card,
  tabs,
  tab,
  codegroup: tabs,
  requestexample: tabs,
  responseexample: tabs,
  steps: (children) =>
    h(
      'ol',
      { className: ['steps'] },
      children.filter((child) => child.type === 'element'),
    ),
  step: (children, text) =>
    h('li', { dataAnchor: text('title') }, [h('p', { className: ['step-title'] }, text('title') ?? ''), ...children]),
  accordion,
  expandable: accordion,
  accordiongroup: (children) => h('div', { className: ['accordions'] }, children),
  frame: (children, text) => {
    const caption = text('caption')
    return h('figure', { className: ['frame'] }, [...children, ...(caption ? [h('figcaption', caption)] : [])])
  },
  update: (children, text) =>
    titled('update', children, [text('label'), text('description')].filter(Boolean).join(' · ') || null, text('label')),
  // Touch and keyboard users cannot hover.
  tooltip: (children, text) => h('abbr', { title: text('tip') ?? '', tabIndex: 0 }, children),
  icon: () => [],
  paramfield: field,
  responsefield: field,
  visibility: (children, text) => (text('for') === 'agents' ? [] : children),
  tree: (children) =>
    children.some((child) => child.type === 'element' && child.tagName === 'ul')
      ? h('div', { className: ['tree'] }, children)
      : h(
          'ul',
          { className: ['tree'] },
          children.filter((child) => child.type === 'element'),
        ),
  'tree.folder': (children, text) => h('li', [text('name') ?? '', '/', h('ul', children)]),
  'tree.file': (_, text) => h('li', text('name') ?? ''),
  prompt,
  panel: (children) => h('div', { className: ['part'] }, children),
  view: (children, text) => titled('part', children, text('title')),
  banner: (children) => h('div', { className: ['callout', 'note'], role: 'note' }, children),
  label: keep,
  filetree: (children) => h('div', { className: ['tree'] }, children),
  color: (children) => h('div', { className: ['colors'] }, children),
  'color.row': (children, text) => titled('part', children, text('title')),
  'color.item': (_, text) => h('p', [`${text('name') ?? ''} `, h('code', text('value') ?? '')]),
  'github.repo': repository,
  badge: (children, text) => h('span', { className: ['badge'] }, children.length > 0 ? children : (text('text') ?? '')),
  'not-here': unknown,
  'not-here-inline': () => h('span', { className: ['not-here'] }, '(computed on the original page)'),
}

/** Lower-case names of rendered components. Others are replaced by their content. */
export const componentNames: readonly string[] = Object.keys(components)

/** Renders every component of a sanitised tree. */
export const renderComponents = (tree: Root): Root => ({
  ...tree,
  children: tree.children.flatMap((node) => render(node as ElementContent)),
})

const render = (node: ElementContent): ElementContent[] => {
  if (node.type !== 'element') return [node]
  const children = node.children.flatMap(render)
  const component = node.tagName.startsWith('x-') ? components[node.tagName.slice(2)] : undefined
  if (!component) return [{ ...node, children }]
  const result = component(children, (name) => readText(node.properties, name))
  const nodes = Array.isArray(result) ? result : [result]
  const [first] = nodes
  if (first?.type === 'element' && node.properties['id']) first.properties['id'] = node.properties['id']
  return nodes
}

const readText = (properties: Properties, name: string) => {
  const value = properties[name]
  if (value === undefined || value === null || value === false || value === '') return null
  return value === true ? 'true' : String(value)
}
