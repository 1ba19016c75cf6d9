import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { proofs } from './list.ts'

test('every proof in a file of this folder is on the list', () => {
  const names = globSync('**/*.ts', { cwd: import.meta.dirname }).flatMap((file) => {
    const text = readFileSync(join(import.meta.dirname, file), 'utf8')
    return /^export const proof: Proof = \{\n  name: '([\w-]+)',$/m.exec(text)?.[1] ?? []
  })
  expect(names.toSorted()).toEqual(proofs.map(({ name }) => name))
})

test('the README has one row for every proof, with the costs of the list', () => {
  const readme = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8')
  const rows = [...readme.matchAll(/^\| `([\w-]+)` \| [A-Z\d][^|]+ \| (\d+) s \| (?:yes, (\d+) s|no) \|$/gm)]
  expect(
    rows.map(([, name, seconds, quick]) => [name, Number(seconds), quick === undefined ? null : Number(quick)]),
  ).toEqual(proofs.map(({ name, seconds, quickSeconds }) => [name, seconds, quickSeconds]))
})
