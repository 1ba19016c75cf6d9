import type { Element, ElementContent } from 'hast'
import { h } from 'hastscript'

/** Joins neighbouring views to one list of tabs; a single view stays a titled part. */
export const wrapViews = <T extends { type: string }>(children: T[]): T[] => {
  if (!children.some(isView)) return children
  const joined: T[] = []
  let group: Element | null = null
  for (const child of children) {
    if (isView(child)) {
      if (group === null) joined.push((group = h('div', { className: ['tabs'], dataSync: 'view' })) as unknown as T)
      group.children.push(asTab(child as unknown as Element))
      continue
    }
    // Blank text between views does not part them.
    if (child.type !== 'text' || (child as unknown as { value: string }).value.trim() !== '') group = null
    joined.push(child)
  }
  return joined
}

const isView = (node: { type: string }) => {
  const { className } = (node as Partial<Element>).properties ?? {}
  return Array.isArray(className) && className.includes('view')
}

const asTab = (view: Element): Element => {
  const [title, ...rest] = view.children as [Element, ...ElementContent[]]
  return {
    ...view,
    properties: { ...view.properties, className: ['tab'] },
    children: [{ ...title, properties: { className: ['tab-title'] } }, ...rest],
  }
}
