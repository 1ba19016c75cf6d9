import type { ElementContent } from 'hast'
import { h } from 'hastscript'

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
export const packageManagerTabs = (text: (name: string) => string | null): ElementContent[] => {
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
