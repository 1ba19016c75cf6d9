import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { trackedFiles } from './tracked-files.ts'

const root = join(import.meta.dirname, '..')
const sources = trackedFiles(root).filter(
  ({ path }) => /\.(ts|tsx|mjs|css)$/.test(path) && !path.includes('/migrations/'),
)

/** `openAuthWall` and `open-auth-wall` as `open auth wall`. */
const splitName = (name: string) =>
  name
    .replaceAll(/([a-z\d])([A-Z])|[-_.]/g, '$1 $2')
    .toLowerCase()
    .trim()

/** First column of the table in `docs/glossary.md`, as tests of a split name. */
const readGoneNames = (markdown: string): RegExp[] =>
  [...(markdown.split('## Retired names')[1] ?? '').matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, gone = '']) =>
      gone.startsWith('… ')
        ? new RegExp(`\\w ${gone.slice(2)}$`)
        : gone.endsWith(' …')
          ? new RegExp(`^${gone.slice(0, -2)} `)
          : new RegExp(`\\b${gone}\\b`),
    ),
  )

const gone = readGoneNames(readFileSync(join(root, 'docs', 'glossary.md'), 'utf8'))
const isGone = (name: string) => gone.some((pattern) => pattern.test(splitName(name)))

/** Names of constants, types, functions and classes that a file declares at its top level, exported or not. */
const readDeclarations = (text: string) =>
  [...text.matchAll(/^(?:export )?(?:declare )?(?:async )?(?:const|let|type|function|class) (\w+)/gm)].map(
    ([, name = '']) => name,
  )

test('no file has a name that the glossary retired', () => {
  const paths = sources.map(({ path }) => path)
  expect(paths.filter((path) => isGone(basename(path).replace(/\.((test|spec)\.)?(ts|tsx|mjs|css)$/, '')))).toEqual([])
})

test('no declaration in product code, tests, proofs, bench or scripts has a name that the glossary retired', () => {
  expect(
    sources.flatMap(({ path, text }) =>
      readDeclarations(text)
        .filter(isGone)
        .map((name) => `${path}: ${name}`),
    ),
  ).toEqual([])
})

test('names that the glossary retired are reported, and other names are not', () => {
  expect(['SignInDoor', 'mostLinks', 'audit-words', 'titleOf', 'lost-starts'].filter((name) => !isGone(name))).toEqual(
    [],
  )
  expect(['navigate', 'words', 'atMost', 'authPage', 'offset', 'searchWords2'].filter(isGone)).toEqual([])
})

/** Terms of a glossary, from the first column of its tables. */
const readTerms = (markdown: string) =>
  [...(markdown.split('## Retired names')[0] ?? '').matchAll(/^\| (?!Term |Word |---)([^|]+) \|/gm)].map(
    ([, term = '']) => term.toLowerCase(),
  )

test('a newcomer learns at most 24 words, and the guide explains each once', () => {
  const terms = readTerms(readFileSync(join(root, 'docs/guide/reference/glossary.md'), 'utf8'))
  expect(terms).toContain('roll back')
  expect(terms.length).toBeLessThanOrEqual(24)
  expect(new Set(terms).size).toBe(terms.length)
})
