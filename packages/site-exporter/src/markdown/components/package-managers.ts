import type { ElementContent, Element, Root } from 'hast'
import { h } from 'hastscript'
import { toString } from 'hast-util-to-string'
import library from 'npm-to-yarn'
import { SKIP, walkTree } from '#markdown/walk-tree.ts'

/** Command of each package manager by kind. `*` stands for the package, `-D` for development. */
const commands: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  add: { npm: 'npm i -D *', pnpm: 'pnpm add -D *', yarn: 'yarn add -D *', bun: 'bun add -D *' },
  create: { npm: 'npm create *', pnpm: 'pnpm create *', yarn: 'yarn create *', bun: 'bun create *' },
  dlx: { npm: 'npx *', pnpm: 'pnpm dlx *', yarn: 'yarn dlx *', bun: 'bunx *' },
  exec: { npm: 'npx *', pnpm: 'pnpm *', yarn: 'yarn *', bun: 'bunx *' },
  install: { npm: 'npm install', pnpm: 'pnpm install', yarn: 'yarn install', bun: 'bun install' },
  remove: { npm: 'npm uninstall *', pnpm: 'pnpm remove *', yarn: 'yarn remove *', bun: 'bun remove *' },
  run: { npm: 'npm run *', pnpm: 'pnpm run *', yarn: 'yarn run *', bun: 'bun run *' },
}

/** Tabs with the command of each package manager; none if the attributes name no package. */
export const renderPackageManagerTabs = (text: (name: string) => string | null): ElementContent[] => {
  const wanted = (text('type') ?? (text('pkg') ? 'add' : '')).toLowerCase()
  const kind = Object.hasOwn(commands, wanted) ? commands[wanted]! : null
  const subject = [text('pkg'), text('args')].filter(Boolean).join(' ')
  if (kind === null || (subject === '' && wanted !== 'install')) return []
  return Object.entries(kind).map(([name, command]) => {
    const line = command.replace(' -D', text('dev') === null ? '' : ' -D').replace('*', () => subject)
    const code = h('code', { className: ['language-sh'], dataMeta: `title="${name}"` }, line.trim())
    return h('pre', code)
  })
}

// The package declares the types of its CommonJS build even for its ES module.
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
      h('tab', { title }, [replaceCodeText(node, code, manager === null ? commands : convert(commands, manager))]),
    )
    parent.children[index] = h('tabs', tabs)
    return [SKIP, index + 1]
  })
}

const replaceCodeText = (pre: Element, code: Element, value: string): ElementContent => ({
  ...pre,
  children: [{ ...code, properties: { ...code.properties }, children: [{ type: 'text', value }] }],
})
