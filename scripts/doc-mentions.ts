/**
 * Folders at the top of the repository: text in code marks that begins with one of them is a path. What is in
 * `node_modules` comes and goes.
 */
const topFolders = /^(apps|packages|bench|deploy|proofs|scripts|e2e|docs|\.ci)\/(?!\S*\bnode_modules\b)[^\s<>{}…]*$/
/** `SUMMARY.md` is what other people's books have. */
const topFile = /^(package\.json|pnpm-workspace\.yaml|turbo\.json|[a-z.-]+\.config\.ts|(?!SUMMARY)[A-Z]+\.md|LICENSE)$/

/** pnpm's own commands, which are no scripts. */
const pnpmCommands = new Set(['install', 'exec', 'add', 'remove', 'dlx', 'why', 'outdated', 'update', 'audit'])

/** Paths of the repository a Markdown text names: targets of relative links, and paths in code marks. */
export const pathsIn = (markdown: string): string[] => {
  const links = [...markdown.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
  const marks = [...markdown.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text)
  return [
    ...links.filter((target) => !/^([a-z]+:|#|\/)/.test(target)),
    ...marks.filter((text) => topFolders.test(text) || topFile.test(text)),
  ]
}

/** Names of the scripts a Markdown text tells the reader to run with pnpm or npm. */
export const commandsIn = (markdown: string): string[] => {
  const code = [...markdown.matchAll(/```[^\n]*\n([\s\S]*?)```|`([^`\n]+)`/g)].map(
    ([, block, mark]) => block ?? mark ?? '',
  )
  const mentions = code.flatMap((text) => [
    ...[...text.matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name = '']) => name),
    ...[...text.matchAll(/(?:^|[\n;&|$] *)npm (start|test)\b/g)].map(([, name = '']) => name),
    ...[...text.matchAll(/(?:^|[\n;&|$] *)pnpm (?:run )?([a-z][\w:-]*)/g)].map(([, name = '']) => name),
  ])
  return mentions.filter((name) => !pnpmCommands.has(name))
}
