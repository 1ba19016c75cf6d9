import { expect, test } from 'vitest'
import { licenceFaults } from './licences.ts'
import { manifestPath, plantedTree } from './testing/planted-tree.ts'

const findFaults = (manifest: object, name = 'planted') =>
  licenceFaults(
    plantedTree({
      'pnpm-lock.yaml': `packages:\n  '${name}@1.0.0':\n    resolution: {}\n`,
      [manifestPath(name)]: JSON.stringify({ name, version: '1.0.0', ...manifest }),
    }),
  )

test('licences that only require their text pass, even as one of several choices', () => {
  for (const license of ['MIT', 'Apache-2.0', '(MIT OR GPL-3.0-only)', 'MIT AND ISC'])
    expect(findFaults({ license })).toEqual([])
})

for (const license of [
  'GPL-3.0-only',
  'AGPL-3.0-or-later',
  'SEE LICENSE IN LICENSE',
  'UNLICENSED',
  'MIT AND GPL-2.0-only',
  '',
])
  test(`a package under "${license}" is a fault`, () => {
    expect(findFaults({ license })).toEqual([`planted@1.0.0: "${license}"`])
  })

test('a package without a licence, or with one in an unknown form, is a fault', () => {
  expect(findFaults({})).toEqual(['planted@1.0.0: says no licence'])
  expect(findFaults({ license: { type: 'MIT' } })).toHaveLength(1)
})

test('a licence exception applies only to the packages that it names', () => {
  expect(findFaults({ license: 'MPL-2.0' }, 'axe-core')).toEqual([])
  expect(findFaults({ license: 'MPL-2.0' })).toHaveLength(1)
})

test('packages left from an older lockfile are ignored, and an empty installation is an error', () => {
  const tree = { 'pnpm-lock.yaml': 'packages: {}\n', [manifestPath('gone')]: '{"name":"gone","version":"1.0.0"}' }
  expect(() => licenceFaults(plantedTree(tree))).toThrow('no package of the lockfile is installed')
})
