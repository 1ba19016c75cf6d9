import { readFileSync, existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { parseChangelog } from './src/features/overview/about/release-notes.ts'

/** A third-party package that Docket ships. */
type CarriedPackage = { name: string; version: string; licence: string }

type Manifest = {
  name: string
  version: string
  license?: unknown
  /** Older packages list several licences in this form. */
  licenses?: readonly { type: string }[]
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

/** Packages with programs for one platform. They are left out, because one build of the page serves all platforms. */
const platform = /(^|[-/])(linux|darwin|win32|windows|freebsd|android)-/

/** Nearest `node_modules` folder with the package, in Node's search order. Null when an optional package is missing. */
const findPackage = (name: string, folder: string): string | null => {
  for (let at = folder; at !== join(at, '..'); at = join(at, '..')) {
    const found = join(at, 'node_modules', name)
    if (existsSync(join(found, 'package.json'))) return realpathSync(found)
  }
  return null
}

/**
 * Packages that the folders depend on in production, directly or not, by name and version. Docket's own and those for one platform are
 * left out. Throws when a package is not installed or names no licence.
 */
const listCarriedPackages = (folders: readonly string[]): CarriedPackage[] => {
  const found = new Map<string, CarriedPackage>()
  const seen = new Set<string>()
  const visit = (folder: string): void => {
    if (seen.has(folder)) return
    seen.add(folder)
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
    const { name, version, licenses, dependencies = {}, optionalDependencies = {} } = manifest
    const licence = manifest.license ?? licenses?.map(({ type }) => type).join(' OR ')
    if (!name.startsWith('@docket/')) {
      if (typeof licence !== 'string') throw new Error(`${name}@${version} says no licence`)
      if (!platform.test(name)) found.set(`${name}@${version}`, { name, version, licence })
    }
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const below = findPackage(needed, folder)
      if (below !== null) visit(below)
      else if (!(needed in optionalDependencies)) throw new Error(`${name} needs ${needed}, which is not installed`)
    }
  }
  for (const folder of folders) visit(realpathSync(folder))
  const byName = (a: CarriedPackage, b: CarriedPackage) =>
    `${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1
  return [...found.values()].toSorted(byName)
}

const id = 'virtual:about'
const root = join(import.meta.dirname, '..', '..')

/** PostgreSQL and Node are not npm packages, or are a separate one for each platform. */
const programs = [
  { name: 'Node.js', version: '', licence: 'MIT' },
  { name: 'PostgreSQL', version: '', licence: 'PostgreSQL' },
]

/** Bundles the changelog and the licences with the page, as they are at build time. */
export const aboutData = (): Plugin => ({
  name: 'about-data',
  resolveId: (source) => (source === id ? `\0${id}` : undefined),
  load(source) {
    if (source !== `\0${id}`) return undefined
    const changelog = join(root, 'CHANGELOG.md')
    this.addWatchFile(changelog)
    const releases = parseChangelog(readFileSync(changelog, 'utf8'))
    const packages = [...programs, ...listCarriedPackages([import.meta.dirname, join(root, 'apps', 'bff')])]
    const literal = (value: unknown) => `JSON.parse(${JSON.stringify(JSON.stringify(value))})`
    return `export const releases = ${literal(releases)}\nexport const packages = ${literal(packages)}\n`
  },
})
