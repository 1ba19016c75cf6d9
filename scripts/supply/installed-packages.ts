import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

/** Source of a package's content, from `pnpm-lock.yaml`. */
export type LockedPackages = Readonly<Record<string, { resolution?: Record<string, unknown> }>>

/** A package as it lies in `node_modules`: what its manifest says, and whether a file makes npm clients compile it. */
export type InstalledPackage = {
  name: string
  version: string
  licence: unknown
  scripts: Record<string, unknown>
  hasGyp: boolean
  folder: string
}

/** The packages of `pnpm-lock.yaml`, by `name@version`. Throws when there is no lockfile. */
export const lockedPackages = (root: string): LockedPackages =>
  (parse(readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8')) as { packages?: LockedPackages }).packages ?? {}

const foldersIn = (path: string) =>
  readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))

/**
 * Folders of packages in one folder of the store; links to packages in other folders are no directories, and left out.
 */
const packagesIn = (path: string): string[] =>
  foldersIn(path).flatMap((name) =>
    name.startsWith('@') ? foldersIn(join(path, name)).map((below) => join(path, name, below)) : [join(path, name)],
  )

/**
 * Every installed package of the lockfile. Those for other platforms are not installed, and what an older lockfile left
 * behind does not count. Throws when nothing is installed.
 */
export const installedPackages = (root: string, locked = lockedPackages(root)): InstalledPackage[] => {
  const store = join(root, 'node_modules', '.pnpm')
  const found = new Map<string, InstalledPackage>()
  for (const folder of foldersIn(store)) {
    const inside = join(store, folder, 'node_modules')
    if (!existsSync(inside)) continue
    for (const path of packagesIn(inside)) {
      if (!existsSync(join(path, 'package.json'))) continue
      const manifest = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as Record<string, unknown>
      const { name, version, license, licenses, scripts = {} } = manifest
      const key = `${String(name)}@${String(version)}`
      if (key in locked)
        found.set(key, {
          name: String(name),
          version: String(version),
          licence: license ?? licenses,
          scripts: scripts as Record<string, unknown>,
          hasGyp: existsSync(join(path, 'binding.gyp')),
          folder: path,
        })
    }
  }
  if (found.size === 0) throw new Error(`no package of the lockfile is installed in ${store}`)
  return [...found.values()]
}
