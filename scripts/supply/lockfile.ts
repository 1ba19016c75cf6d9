import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { installedPackages, lockedPackages, type LockedPackages } from './installed-packages.ts'

type Workspace = Record<string, unknown> & { allowBuilds?: Record<string, boolean> }

const semver = /^\d+\.\d+\.\d+(-[\w.-]+)?(\+[\w.-]+)?$/
const runsOnInstall = ['preinstall', 'install', 'postinstall']

/** Settings of pnpm that would take packages from somewhere else, change them, or run what they bring. */
const forbiddenSettings = [
  'dangerouslyAllowAllBuilds',
  'neverBuiltDependencies',
  'onlyBuiltDependencies',
  'patchedDependencies',
  'pnpmfile',
  'registries',
  'registry',
  'strictSsl',
  'verifyStoreIntegrity',
]

/** Packages that do not come from the npm registry with a hash over their content. Anything else stands in `resolution` too. */
const originFaults = (locked: LockedPackages): string[] =>
  Object.entries(locked).flatMap(([key, { resolution = {} }]) => {
    const fromRegistry =
      Object.keys(resolution).join() === 'integrity' && semver.test(key.slice(key.lastIndexOf('@') + 1))
    if (!fromRegistry) return [`${key} does not come from the npm registry: ${JSON.stringify(resolution)}`]
    return /^sha512-[\w+/]{86}==$/.test(String(resolution['integrity'])) ? [] : [`${key} has no SHA-512 of its content`]
  })

const settingFaults = (root: string, workspace: Workspace): string[] => [
  ...Object.keys(workspace)
    .filter((name) => forbiddenSettings.includes(name))
    .map((name) => `pnpm-workspace.yaml sets ${name}`),
  ...['.npmrc', '.pnpmfile.cjs', '.pnpmfile.mjs']
    .filter((file) => existsSync(join(root, file)))
    .map((file) => `${file} can change where packages come from`),
]

/** `allowBuilds` names every installed package that would run something on install, and nothing that is not locked. */
const installScriptFaults = (root: string, { allowBuilds = {} }: Workspace, locked: LockedPackages): string[] => {
  const running = installedPackages(root, locked).filter(
    ({ scripts, hasGyp }) => hasGyp || runsOnInstall.some((name) => name in scripts),
  )
  return [
    ...running
      .filter(({ name }) => !(name in allowBuilds))
      .map(({ name, version }) => `${name}@${version} runs something on install, and allowBuilds does not name it`),
    ...Object.keys(allowBuilds)
      .filter((name) => !Object.keys(locked).some((key) => key.startsWith(`${name}@`)))
      .map((name) => `allowBuilds names ${name}, which is not in the lockfile`),
  ]
}

/** What pnpm says when the lockfile is not what the manifests ask for. It changes nothing and needs no network. */
const agreementFaults = (root: string): string[] => {
  const { status, stdout, stderr, error } = spawnSync(
    'pnpm',
    ['install', '--frozen-lockfile', '--lockfile-only', '--offline'],
    { cwd: root, encoding: 'utf8', env: { ...process.env, CI: 'true' } },
  )
  const printed = error?.message ?? `${stdout}${stderr}`.trim()
  // Without the network pnpm may not know when each package was published; installing has asked that before.
  if (status === 0 || printed.includes('ERR_PNPM_META_FETCH_FAIL')) return []
  return [`pnpm-lock.yaml and the manifests do not agree:\n${printed}`]
}

/** Faults of the lockfile under `root`, of the settings around it, and of what is installed from it. */
export const lockfileFaults = (root: string): string[] => {
  const locked = lockedPackages(root)
  const workspace = parse(readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8')) as Workspace
  return [
    ...agreementFaults(root),
    ...originFaults(locked),
    ...settingFaults(root, workspace),
    ...installScriptFaults(root, workspace, locked),
  ]
}
