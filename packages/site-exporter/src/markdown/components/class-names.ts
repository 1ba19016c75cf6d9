import type { Root } from 'hast'
import { walkTree } from '#markdown/walk-tree.ts'

/** Turns the marks that the allow list left (theme, API style, utilities) into class names of the style sheet. */
export const applyClassNames = (tree: Root): void => {
  walkTree(tree, 'element', ({ properties }) => {
    const { dataTheme, dataApi, dataUtility, className } = properties
    if (dataTheme === undefined && dataApi === undefined && dataUtility === undefined) return
    for (const name of ['dataTheme', 'dataApi', 'dataUtility']) delete properties[name]
    properties['className'] = [
      ...(Array.isArray(className) ? className : []),
      ...(dataTheme ? [`on-${String(dataTheme)}`] : []),
      ...(dataApi ? ['api-style', String(dataApi)] : []),
      ...(typeof dataUtility === 'string' ? dataUtility.split(' ') : []),
    ]
  })
}
