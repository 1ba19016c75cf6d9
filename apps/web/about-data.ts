import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { listCarriedPackages } from './carried-packages.ts'
import { parseChangelog } from './src/features/overview/about/release-notes.ts'

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
