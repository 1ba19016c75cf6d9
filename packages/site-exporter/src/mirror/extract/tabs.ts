import type { Element, ElementContent } from 'hast'
import { h } from 'hastscript'
import { readClasses, elementsIn, find, findAll, isElement, textAttribute, readText } from './elements.ts'

type Tab = { title: string; panel: Element }

const role = (name: string) => (node: Element) => textAttribute(node, 'role') === name
const hasClass = (name: string) => (node: Element) => readClasses(node).includes(` ${name} `)

export const readTabs = (node: Element): Tab[] | null => {
  if (isElement(node, 'ul', 'table', 'p')) return null
  const tabs = byClasses(node) ?? byRoles(node)
  return tabs && tabs.length > 0 ? tabs : null
}

export const tabGroup = (tabs: readonly Tab[], clean: (node: Element) => ElementContent[]): ElementContent =>
  h(
    'tabs',
    tabs.map(({ title, panel }) => h('tab', { title }, clean(panel))),
  )

const byRoles = (node: Element): Tab[] | null => {
  const list = find(node, role('tablist'))
  const panels = list ? findAll(node, role('tabpanel'), false) : []
  if (!list || panels.length === 0) return null
  if (elementsIn(node).some((child) => find(child, role('tablist')) && find(child, role('tabpanel')))) return null
  const labels = findAll(list, role('tab'))
  return panels.map((panel, index) => {
    const own = labels.find((label) => {
      const controls = textAttribute(label, 'ariaControls')
      const id = textAttribute(label, 'id')
      return (
        (controls !== '' && controls === textAttribute(panel, 'id')) ||
        (id !== '' && id === textAttribute(panel, 'ariaLabelledBy'))
      )
    })
    return { title: readTabTitle(own ?? labels[index], index), panel }
  })
}

/** Tabs that work without scripts. */
const byClasses = (node: Element): Tab[] | null => {
  const classes = readClasses(node)
  const pair = (labels: readonly Element[], panels: readonly Element[]) =>
    panels.map((panel, index) => ({ title: readTabTitle(labels[index], index), panel }))
  const labelsIn = (parent: Element | undefined) =>
    parent ? findAll(parent, (child) => isElement(child, 'label')) : []
  if (classes.includes(' vp-code-group ')) {
    const blocks = find(node, hasClass('blocks'))
    // The wrapper keeps each panel from becoming a code block.
    const panels = blocks ? elementsIn(blocks).map((block) => ({ ...blocks, children: [block] })) : []
    return pair(labelsIn(find(node, hasClass('tabs'))), panels)
  }
  if (classes.includes(' tabbed-set ')) {
    const content = find(node, hasClass('tabbed-content'))
    return pair(labelsIn(find(node, hasClass('tabbed-labels'))), content ? elementsIn(content) : [])
  }
  if (classes.includes(' sd-tab-set '))
    return pair(elementsIn(node).filter(hasClass('sd-tab-label')), elementsIn(node).filter(hasClass('sd-tab-content')))
  if (!classes.includes(' tabs ')) return null
  return elementsIn(node)
    .filter(hasClass('tab'))
    .flatMap((tab, index) => {
      const label = elementsIn(tab).find(hasClass('tab-title'))
      const panel = { ...tab, children: tab.children.filter((child) => child !== label) }
      return label ? [{ title: readTabTitle(label, index), panel }] : []
    })
}

const readTabTitle = (label: Element | undefined, index: number) => (label && readText(label)) || `Tab ${index + 1}`
