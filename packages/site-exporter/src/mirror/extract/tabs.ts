import type { Element, ElementContent } from 'hast'
import { h } from 'hastscript'
import {
  readClasses,
  listChildElements,
  findElement,
  findElements,
  isElement,
  readAttribute,
  readText,
} from './elements.ts'

type Tab = { title: string; panel: Element }

const createRoleTest = (name: string) => (node: Element) => readAttribute(node, 'role') === name
const createClassTest = (name: string) => (node: Element) => readClasses(node).includes(` ${name} `)

export const readTabs = (node: Element): Tab[] | null => {
  if (isElement(node, 'ul', 'table', 'p')) return null
  const tabs = readTabsByClass(node) ?? readTabsByRole(node)
  return tabs && tabs.length > 0 ? tabs : null
}

export const buildTabGroup = (tabs: readonly Tab[], clean: (node: Element) => ElementContent[]): ElementContent =>
  h(
    'tabs',
    tabs.map(({ title, panel }) => h('tab', { title }, clean(panel))),
  )

const readTabsByRole = (node: Element): Tab[] | null => {
  const list = findElement(node, createRoleTest('tablist'))
  const panels = list ? findElements(node, createRoleTest('tabpanel'), false) : []
  if (!list || panels.length === 0) return null
  if (
    listChildElements(node).some(
      (child) => findElement(child, createRoleTest('tablist')) && findElement(child, createRoleTest('tabpanel')),
    )
  )
    return null
  const labels = findElements(list, createRoleTest('tab'))
  return panels.map((panel, index) => {
    const own = labels.find((label) => {
      const controls = readAttribute(label, 'ariaControls')
      const id = readAttribute(label, 'id')
      return (
        (controls !== '' && controls === readAttribute(panel, 'id')) ||
        (id !== '' && id === readAttribute(panel, 'ariaLabelledBy'))
      )
    })
    return { title: readTabTitle(own ?? labels[index], index), panel }
  })
}

/** Tabs that work without scripts. */
const readTabsByClass = (node: Element): Tab[] | null => {
  const classes = readClasses(node)
  const pair = (labels: readonly Element[], panels: readonly Element[]) =>
    panels.map((panel, index) => ({ title: readTabTitle(labels[index], index), panel }))
  const labelsIn = (parent: Element | undefined) =>
    parent ? findElements(parent, (child) => isElement(child, 'label')) : []
  if (classes.includes(' vp-code-group ')) {
    const blocks = findElement(node, createClassTest('blocks'))
    // The wrapper keeps each panel from becoming a code block.
    const panels = blocks ? listChildElements(blocks).map((block) => ({ ...blocks, children: [block] })) : []
    return pair(labelsIn(findElement(node, createClassTest('tabs'))), panels)
  }
  if (classes.includes(' tabbed-set ')) {
    const content = findElement(node, createClassTest('tabbed-content'))
    return pair(
      labelsIn(findElement(node, createClassTest('tabbed-labels'))),
      content ? listChildElements(content) : [],
    )
  }
  if (classes.includes(' sd-tab-set '))
    return pair(
      listChildElements(node).filter(createClassTest('sd-tab-label')),
      listChildElements(node).filter(createClassTest('sd-tab-content')),
    )
  if (!classes.includes(' tabs ')) return null
  return listChildElements(node)
    .filter(createClassTest('tab'))
    .flatMap((tab, index) => {
      const label = listChildElements(tab).find(createClassTest('tab-title'))
      const panel = { ...tab, children: tab.children.filter((child) => child !== label) }
      return label ? [{ title: readTabTitle(label, index), panel }] : []
    })
}

const readTabTitle = (label: Element | undefined, index: number) => (label && readText(label)) || `Tab ${index + 1}`
