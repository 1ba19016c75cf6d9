import type { Element, ElementContent, Root } from 'hast'
import { toString } from 'hast-util-to-string'
import { h } from 'hastscript'
import library from 'npm-to-yarn'
import { SKIP, walkTree } from '#markdown/walk-tree.ts'

// The package declares the types of its CommonJS build for its module, too.
const convert = library as unknown as typeof library.default

const managers = [
  ['npm', null],
  ['Yarn', 'yarn'],
  ['pnpm', 'pnpm'],
  ['Bun', 'bun'],
] as const
/** Longer code stays one block. Characters. */
const maxLength = 5_000

/** Turns code blocks with `npm2yarn` into tabs with the commands of each package manager. */
export const tabPackageManagers = (tree: Root): void => {
  walkTree(tree, 'element', (node, index, parent) => {
    const code = node.tagName === 'pre' ? node.children[0] : undefined
    if (code?.type !== 'element' || !parent || index === undefined) return undefined
    const meta = code.properties['dataMeta']
    const commands = toString(code)
    if (typeof meta !== 'string' || !/\bnpm2yarn\b/.test(meta)) return undefined
    code.properties['dataMeta'] = meta.replace(/\bnpm2yarn\b/, '').trim()
    if (commands.length > maxLength) return undefined
    const tabs = managers.map(([title, manager]) =>
      h('tab', { title }, [withText(node, code, manager === null ? commands : convert(commands, manager))]),
    )
    parent.children[index] = h('tabs', tabs)
    return [SKIP, index + 1]
  })
}

const withText = (pre: Element, code: Element, value: string): ElementContent => ({
  ...pre,
  children: [{ ...code, properties: { ...code.properties }, children: [{ type: 'text', value }] }],
})
