import type { Element, ElementContent } from 'hast'
import { toString } from 'hast-util-to-string'
import { h } from 'hastscript'
import { renderPackageManagerTabs } from './package-managers.ts'
import { readClasses } from './utilities.ts'
import { renderTitled, type Component, type Components } from './component.ts'

/** Key of a list of tabs. The script selects the tab of the same name in every list with the same key. */
const findSyncKey = (text: (name: string) => string | null, isOff: (name: string) => boolean) =>
  isOff('sync') ? 'off' : (text('groupid') ?? text('synckey') ?? text('group') ?? text('id'))

const renderTabs: Component = (children, text, { list, isOff }) => {
  const wanted = text('defaultvalue')
  const position = Number(text('defaulttabindex') ?? -1)
  const labels = new Map(list('values').flatMap(readLabel))
  const panels = children.filter(
    (child): child is Element => child.type === 'element' && readClasses(child).includes('tab'),
  )
  for (const [index, panel] of panels.entries()) {
    const value = String(panel.properties['dataValue'] ?? '')
    if (index === position || (wanted !== null && (value === wanted || readTitle(panel) === wanted)))
      panel.properties['dataDefault'] = ''
    const label = labels.get(value)
    const title = panel.children[0]
    if (label !== undefined && title?.type === 'element') title.children = [{ type: 'text', value: label }]
  }
  const dataDropdown = text('dropdown') === null ? null : ''
  return h('div', { className: ['tabs'], dataSync: findSyncKey(text, isOff), dataDropdown }, children)
}

const readTitle = ({ children }: Element) => (children[0] ? toString(children[0]) : '')

/** Reads `{ "label": …, "value": … }`. */
const readLabel = (json: string): [string, string][] => {
  const [label, value] = ['label', 'value'].map((name) => new RegExp(`"${name}":"([^"\\\\]*)"`).exec(json)?.[1])
  return label !== undefined && value !== undefined ? [[value, label]] : []
}

const renderTab: Component = (children, text, { inline, words }) => {
  const named = inline('title', 'label')
  const value = text('value')
  const title: ElementContent[] =
    named.length > 0 ? named : [{ type: 'text', value: value ?? text('name') ?? words.content.tab }]
  const label = title.map((piece) => toString(piece)).join('')
  const panel = renderTitled('tab', children, title, label) as Element
  if (value !== null && value !== label) panel.properties['dataValue'] = value
  if (text('default') !== null) panel.properties['dataDefault'] = ''
  return panel
}

/** Makes tabs from the named slots of a component. Content without a slot stays above the tabs. */
const renderSlotTabs: Component = (children, text, { inline, slots }) => [
  ...renderTitleLine(inline('title', 'label')),
  ...children,
  h(
    'div',
    { className: ['tabs'], dataSync: text('synckey') },
    slots.map(({ name, children }) => renderTitled('tab', children, [{ type: 'text', value: name }], name)),
  ),
]

const renderTitleLine = (title: ElementContent[]) =>
  title.length > 0 ? [h('p', { className: ['part-title'] }, title)] : []

const renderPackageManagers: Component = (children, text, props) => {
  const commands = renderPackageManagerTabs(text)
  if (commands.length === 0) return renderSlotTabs(children, text, props)
  return [
    ...renderTitleLine(props.inline('title')),
    h('div', { className: ['tabs'], dataSync: 'package-manager' }, commands),
    ...children,
    ...props.slots.flatMap((slot) => slot.children),
  ]
}

export const tabFamily: Components = {
  tabs: renderTabs,
  tab: renderTab,
  tabitem: renderTab,
  codegroup: renderTabs,
  codetabs: renderTabs,
  requestexample: renderTabs,
  responseexample: renderTabs,
  packagemanagers: renderPackageManagers,
  slottabs: renderSlotTabs,
}

/** Joins neighbouring views into one list of tabs; a single view stays a titled part. */
export const wrapViews = <T extends { type: string }>(children: T[]): T[] => {
  if (!children.some(isView)) return children
  const joined: T[] = []
  let group: Element | null = null
  for (const child of children) {
    if (isView(child)) {
      if (group === null) joined.push((group = h('div', { className: ['tabs'], dataSync: 'view' })) as unknown as T)
      group.children.push(toTab(child as unknown as Element))
      continue
    }
    // Blank text between views does not separate them.
    if (child.type !== 'text' || (child as unknown as { value: string }).value.trim() !== '') group = null
    joined.push(child)
  }
  return joined
}

const isView = (node: { type: string }) => {
  const { className } = (node as Partial<Element>).properties ?? {}
  return Array.isArray(className) && className.includes('view')
}

const toTab = (view: Element): Element => {
  const [title, ...rest] = view.children as [Element, ...ElementContent[]]
  return {
    ...view,
    properties: { ...view.properties, className: ['tab'] },
    children: [{ ...title, properties: { className: ['tab-title'] } }, ...rest],
  }
}
