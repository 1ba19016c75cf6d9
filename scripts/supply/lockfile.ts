import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { installedPackages, lockedPackages, type LockedPackages } from './installed-packages.ts'

type Workspace = Record<string, unknown> & {
  allowBuilds?: Record<string, boolean>
  minimumReleaseAge?: number
  minimumReleaseAgeExclude?: string[]
}

const semver = /^\d+\.\d+\.\d+(-[\w.-]+)?(\+[\w.-]+)?$/
const runsOnInstall = ['preinstall', 'install', 'postinstall']

/** Minutes. Hijacked releases are usually found and withdrawn within days. */
const minReleaseAge = 7 * 24 * 60

/**
 * Settings of pnpm that would take packages from somewhere else, change them, run what they bring, or soften the
 * release age.
 */
const forbiddenSettings = [
  'dangerouslyAllowAllBuilds',
  'minimumReleaseAgeStrict',
  'neverBuiltDependencies',
  'onlyBuiltDependencies',
  'patchedDependencies',
  'pnpmfile',
  'registries',
  'registry',
  'strictSsl',
  'verifyStoreIntegrity',
]

/**
 * Packages that do not come from the npm registry with a hash over their content. Anything else stands in `resolution`
 * too.
 */
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

/** An update waits for the release age, except for the exact versions that somebody listed. */
const releaseAgeFaults = ({ minimumReleaseAge = 0, minimumReleaseAgeExclude = [] }: Workspace): string[] => [
  ...(minimumReleaseAge < minReleaseAge
    ? [`pnpm-workspace.yaml must set minimumReleaseAge to at least ${minReleaseAge} minutes`]
    : []),
  ...minimumReleaseAgeExclude
    .filter((entry) => !/.@\d/.test(entry))
    .map((entry) => `minimumReleaseAgeExclude must name a version: ${entry}`),
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

/**
 * Error of pnpm when the lockfile does not match the manifests; null when it does. Changes nothing and needs no
 * network.
 */
const agreementFaults = (root: string): string[] => {
  const { status, stdout, stderr, error } = spawnSync(
    'pnpm',
    ['install', '--frozen-lockfile', '--lockfile-only', '--offline'],
    { cwd: root, encoding: 'utf8', env: { ...process.env, CI: 'true' } },
  )
  if (status === 0) return []
  return [`pnpm-lock.yaml and the manifests do not agree:\n${error?.message ?? `${stdout}${stderr}`.trim()}`]
}

/** Faults of the lockfile under `root`, of the settings around it, and of what is installed from it. */
export const lockfileFaults = (root: string): string[] => {
  const locked = lockedPackages(root)
  const workspace = parse(readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8')) as Workspace
  return [
    ...agreementFaults(root),
    ...originFaults(locked),
    ...settingFaults(root, workspace),
    ...releaseAgeFaults(workspace),
    ...installScriptFaults(root, workspace, locked),
  ]
}
