import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { proofs } from './list.ts'
import { proveFiles } from './prove.config.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

test('every proof in a file of this folder is on the list', () => {
  const names = globSync('proofs/**/*.ts', { cwd: root }).flatMap(
    (file) => /^export const proof: Proof = \{\n  name: '([\w-]+)',$/m.exec(read(file))?.[1] ?? [],
  )
  expect(names.toSorted()).toEqual(proofs.map(({ name }) => name))
})

test('the README has one row for every proof, with the costs of the list', () => {
  const rows = [...read('proofs/README.md').matchAll(/^\| `([\w-]+)` \| [A-Z\d][^|]+ \| (\d+) s \| ([\w ]+) \|$/gm)]
  expect(rows.map(([, ...cells]) => cells)).toEqual(
    proofs.map(({ name, seconds, inNpmTest = 'no' }) => [name, String(seconds), inNpmTest]),
  )
})

test('`pnpm prove processes` plays every file that is named for it', () => {
  const named = globSync('**/*.prove.ts', { cwd: root, exclude: ['**/node_modules'] })
  expect(named.toSorted()).toEqual(proveFiles().toSorted())
})

test('every file of browser tests has a planted fault', () => {
  const planted = [...read('e2e/planted.ts').matchAll(/^  '?([\w-]+)'?: /gm)].map(([, name]) => `e2e/${name}.spec.ts`)
  expect(planted).toEqual(expect.arrayContaining(globSync('e2e/*.spec.ts', { cwd: root })))
})

/** Tests, as `file › title`, whose title is none of a file of tests that `pnpm prove` plays, and no proof. */
const findVanished = (left: readonly string[]) => {
  const texts = [...proveFiles(), ...globSync('e2e/**/*.spec.ts', { cwd: root })].map(read)
  const isPlayed = (title: string) =>
    proofs.some(({ name }) => name === title) ||
    ["'", '"', '`'].some((quote) => texts.some((text) => text.includes(`${quote}${title}${quote}`)))
  return left.filter((line) => !isPlayed(line.split(' › ').at(1) ?? ''))
}

test('`pnpm prove` plays everything that left `npm test`', () => {
  const left = read('proofs/left-npm-test.txt').trim().split('\n')
  expect(findVanished(left)).toEqual([])
  expect(left).toEqual([...new Set(left)])
  expect(findVanished(['proofs/quick.test.ts › ssrf', 'a.test.ts › nobody has this name'])).toHaveLength(1)
})
