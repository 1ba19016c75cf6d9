import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { parseChangelog } from '#apps/web/src/features/overview/about/release-notes.ts'
import { proofs } from '#proofs/list.ts'
import { configurationFile, configurationPage } from './configuration-page.ts'
import { trackedFiles } from './tracked-files.ts'

const root = join(import.meta.dirname, '..')
const tracked = trackedFiles(root)
const inGit = tracked.map(({ path }) => path)
// The user documentation names no file of the repository: its links are pages of the site it becomes.
const documents = inGit.filter(
  (file) =>
    /^([A-Z]+\.md|(docs|deploy|proofs|bench|apps|packages)\/.*\.md)$/.test(file) && !file.startsWith('docs/guide/'),
)
const scripts = new Set(
  Object.keys(
    (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }).scripts,
  ),
)

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
const pathsIn = (markdown: string): string[] => {
  const links = [...markdown.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
  const marks = [...markdown.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text)
  return [
    ...links.filter((target) => !/^([a-z]+:|#|\/)/.test(target)),
    ...marks.filter((text) => topFolders.test(text) || topFile.test(text)),
  ]
}

/** Names of the scripts a Markdown text tells the reader to run with pnpm or npm. */
const commandsIn = (markdown: string): string[] => {
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

const exists = (document: string, path: string) => {
  const bare = path.replace(/[#?].*$/, '').replace(/\/$/, '')
  if (bare.includes('*'))
    return inGit.some((file) => new RegExp(`^${bare.replaceAll('.', '\\.').replaceAll('*', '.*')}`).test(file))
  return existsSync(join(root, bare)) || existsSync(join(root, dirname(document), bare))
}

test('there are documents to check', () => {
  expect(documents.length).toBeGreaterThan(0)
})

for (const document of documents) {
  const text = readFileSync(join(root, document), 'utf8')
  test(`every path named in ${document} exists`, () => {
    expect(pathsIn(text).filter((path) => !exists(document, path))).toEqual([])
  })
  test(`every command named in ${document} exists`, () => {
    expect(commandsIn(text).filter((name) => !scripts.has(name))).toEqual([])
  })
}

test('a missing path and a missing command are reported', () => {
  const text =
    'See [it](gone/file.md), `apps/gone/x.ts` and `scripts/none.mjs`; run `pnpm nothing` or `npm run nil -- -x`.'
  expect(pathsIn(text).filter((path) => !exists('README.md', path))).toEqual([
    'gone/file.md',
    'apps/gone/x.ts',
    'scripts/none.mjs',
  ])
  expect(commandsIn(text)).toEqual(['nothing', 'nil'])
})

/** Tests and proofs that a security page names and that do not exist. */
const withoutTest = (markdown: string): string[] =>
  [...markdown.matchAll(/`(?:pnpm prove (\w[\w-]*)|([\w./-]+\.(?:test|spec|prove)\.ts))`/g)]
    .filter(([, proof, file]) =>
      proof === undefined
        ? !['', 'apps/bff/src/'].some((below) => inGit.includes(below + file))
        : !proofs.some(({ name }) => name === proof),
    )
    .map(([mark]) => mark)

test.each(['docs/security.md', 'docs/security/asvs-5.0-level-2.md'])(
  'every test and proof that %s names exists',
  (page) => {
    expect(withoutTest(readFileSync(join(root, page), 'utf8'))).toEqual([])
  },
)

/**
 * Claims of a security page that no test and no proof holds, and proofs without the seconds they take outside of `npm
 * test`.
 */
const findUnheldClaims = (markdown: string): string[] => {
  const rows = [...markdown.matchAll(/^\| (?!Claim |---)([^|]+) \| ([^|]+) \|$/gm)]
  const tests = /`[\w./-]+\.(test|spec|prove)\.ts`/
  const unheld = rows
    .filter(([, , evidence = '']) => !tests.test(evidence) && !evidence.includes('`pnpm prove '))
    .map(([row]) => row)
  const costs = [...markdown.matchAll(/`pnpm prove (\w[\w-]*)`(?: \((\d+) s\))?/g)].filter(([, name, seconds]) => {
    const proof = proofs.find((entry) => entry.name === name)
    return proof !== undefined && (proof.inNpmTest === undefined ? String(proof.seconds) : undefined) !== seconds
  })
  const entry = [...markdown.slice(markdown.indexOf('## What is kept')).matchAll(/^- (?:.*\n(?!- |\n))*.*$/gm)]
  return [...unheld, ...costs.map(([mark]) => mark), ...entry.map(([item]) => item).filter((item) => !tests.test(item))]
}

test('every claim in docs/security.md names its test or proof, and proofs outside npm test state their duration', () => {
  const page = readFileSync(join(root, 'docs/security.md'), 'utf8')
  expect(page.match(/^\| (?!Claim |---).* \|$/gm)?.length).toBeGreaterThan(55)
  expect(findUnheldClaims(page)).toEqual([])
  expect(findUnheldClaims('| Nothing leaks | `pnpm prove bombs` |\n| It is so | Trust us |\n')).toHaveLength(2)
  expect(findUnheldClaims('## What is kept\n\n- **Nothing** is.\n- **All** is (`a.test.ts`).\n')).toHaveLength(1)
})

test('a missing test and a missing proof are reported', () => {
  expect(withoutTest('`http/gone.test.ts`, `pnpm prove nothing`, `ground/http/access/access.test.ts`')).toHaveLength(2)
})

const maxColumns = 120

/**
 * Lines of prose that are too long. A table row, a code block, a heading and a line that cannot break keep their
 * length.
 */
const findLongLines = (markdown: string) => {
  let inCode = false
  return markdown.split('\n').filter((line) => {
    if (/^\s*```/.test(line)) inCode = !inCode
    const canBreak = line
      .slice(0, maxColumns)
      .trimStart()
      .replace(/^[-*] |^\d+\. /, '')
      .includes(' ')
    return !inCode && line.length > maxColumns && canBreak && !/^\s*(\||#|```|!\[)/.test(line)
  })
}

test('prose wraps at 120 columns', () => {
  const long = tracked
    .filter(
      ({ path }) => path.endsWith('.md') && !path.startsWith('scripts/sites/') && path !== 'docs/configuration.md',
    )
    .flatMap(({ path, text }) => findLongLines(text).map((line) => `${path}: ${line}`))
  expect(long).toEqual([])
})

test('the About page shows every entry of the changelog below a heading', () => {
  const text = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
  const areas = parseChangelog(text).flatMap((release) => release.areas)
  expect(areas.flatMap(({ entries }) => entries)).toHaveLength(text.match(/^- /gm)!.length)
  expect(areas.every(({ title, entries }) => title !== '' && entries.length > 0)).toBe(true)
})

test('docs/configuration.md equals the current output of `pnpm docs:configuration`', () => {
  expect(readFileSync(configurationFile, 'utf8')).toBe(configurationPage())
})
