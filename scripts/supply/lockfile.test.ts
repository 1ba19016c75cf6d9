import { expect, test } from 'vitest'
import { lockfileFaults } from './lockfile.ts'
import { manifestPath, plantedTree } from './testing/planted-tree.ts'

const integrity = `sha512-${'A'.repeat(86)}==`
const lock = (resolution = `{integrity: ${integrity}}`, version = '1.0.0') => `lockfileVersion: '9.0'
settings:
  autoInstallPeers: true
  excludeLinksFromLockfile: false
importers:
  .:
    dependencies:
      planted:
        specifier: 1.0.0
        version: ${version}
packages:
  planted@${version}:
    resolution: ${resolution}
snapshots:
  planted@${version}: {}
`
const workspace = 'packages: []\nminimumReleaseAge: 10080\ntrustLockfile: true\n'
const sound = {
  'package.json': JSON.stringify({ name: 'x', private: true, dependencies: { planted: '1.0.0' } }),
  'pnpm-workspace.yaml': workspace,
  'pnpm-lock.yaml': lock(),
  [manifestPath('planted')]: JSON.stringify({ name: 'planted', version: '1.0.0' }),
}
const faultsWith = (files: Record<string, string>) => lockfileFaults(plantedTree({ ...sound, ...files }))

test('a lockfile that fits the manifests, with registry sources and hashes, has no fault', () => {
  expect(faultsWith({})).toEqual([])
})

test('a manifest that does not match the lockfile is a fault', () => {
  const dependencies = { planted: '1.0.1' }
  expect(faultsWith({ 'package.json': JSON.stringify({ name: 'x', private: true, dependencies }) })).toEqual([
    expect.stringContaining('ERR_PNPM_OUTDATED_LOCKFILE'),
  ])
})

const origins: Record<string, string> = {
  'a file on some server': lock(`{integrity: ${integrity}, tarball: https://files.example/planted.tgz}`),
  'a git repository': lock('{type: git, repo: https://git.example/planted.git, commit: 0123456}'),
  'a folder': lock('{directory: ../planted, type: directory}'),
}
for (const [name, text] of Object.entries(origins))
  test(`a package from ${name} is a fault`, () => {
    expect(faultsWith({ 'pnpm-lock.yaml': text })).toContainEqual(
      expect.stringContaining('does not come from the npm registry'),
    )
  })

test('a package with an address instead of a version is a fault', () => {
  const files = {
    'pnpm-lock.yaml': `${lock()}  x@1.0.0: {}\n`.replace(
      'packages:\n',
      `packages:\n  x@https://files.example/x.tgz:\n    resolution: {integrity: ${integrity}}\n`,
    ),
  }
  expect(faultsWith(files)).toContainEqual(expect.stringContaining('does not come from the npm registry'))
})

test('a package without a SHA-512 is a fault', () => {
  expect(faultsWith({ 'pnpm-lock.yaml': lock('{integrity: sha1-AAAAAAAAAAAAAAAAAAAAAAAAAAA=}') })).toEqual([
    'planted@1.0.0 has no SHA-512 of its content',
  ])
})

test('allowBuilds names exactly the packages that run a script on install', () => {
  const scripts = { postinstall: 'node steal.js' }
  const manifest = { [manifestPath('planted')]: JSON.stringify({ name: 'planted', version: '1.0.0', scripts }) }
  expect(faultsWith(manifest)).toEqual([expect.stringContaining('planted@1.0.0 runs something on install')])
  const allowing = { 'pnpm-workspace.yaml': `${workspace}allowBuilds:\n  planted: false\n` }
  expect(faultsWith({ ...manifest, ...allowing })).toEqual([])
  expect(faultsWith({ 'pnpm-workspace.yaml': `${workspace}allowBuilds:\n  gone: true\n` })).toEqual([
    'allowBuilds names gone, which is not in the lockfile',
  ])
})

test('settings that change where packages come from, or let all of them run install scripts, are faults', () => {
  const settings = `${workspace}dangerouslyAllowAllBuilds: true\nminimumReleaseAgeStrict: false\n`
  expect(faultsWith({ 'pnpm-workspace.yaml': settings, '.npmrc': '' })).toEqual([
    'pnpm-workspace.yaml sets dangerouslyAllowAllBuilds',
    'pnpm-workspace.yaml sets minimumReleaseAgeStrict',
    '.npmrc can change where packages come from',
  ])
})

test('a release must be seven days old before an update, except for single listed versions', () => {
  const faultsWithSettings = (settings: string) =>
    faultsWith({ 'pnpm-workspace.yaml': `packages: []\ntrustLockfile: true\n${settings}` })
  const missing = ['pnpm-workspace.yaml must set minimumReleaseAge to at least 10080 minutes']
  expect(faultsWithSettings('')).toEqual(missing)
  expect(faultsWithSettings('minimumReleaseAge: 1440\n')).toEqual(missing)
  expect(faultsWithSettings("minimumReleaseAge: 10080\nminimumReleaseAgeExclude: ['@a/b@1.0.0', '@a/*', c]\n")).toEqual(
    ['minimumReleaseAgeExclude must name a version: @a/*', 'minimumReleaseAgeExclude must name a version: c'],
  )
})
