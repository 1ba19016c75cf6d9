import { installedPackages, type InstalledPackage } from './installed-packages.ts'

/** SPDX names of licences any dependency may have: they ask for their text and a name to be kept, and no more. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PostgreSQL',
  'PSF-2.0',
  'Unlicense',
  'Zlib',
])

/** Other licences, and the packages that may have them. */
const exceptions: readonly { licence: string; packages: RegExp; because: string }[] = [
  {
    licence: 'OFL-1.1',
    packages: /^@fontsource-variable\//,
    because: 'Fonts. The licence asks only that they are not sold by themselves and keep their name when unchanged.',
  },
  {
    licence: 'CC-BY-4.0',
    packages: /^@iconify-json\/fa7-(brands|regular|solid)$/,
    because: 'Glyphs. The licence asks for its name, which every exported sheet of icons begins with.',
  },
  {
    licence: 'MPL-2.0',
    packages: /^(axe-core|@axe-core\/playwright|lightningcss(-.+)?)$/,
    because: 'Used unchanged by tests and by the build, and no part of what Docket ships.',
  },
  {
    licence: 'CC BY-SA 4.0',
    packages: /^@cspell\/dict-en-common-misspellings$/,
    because: 'A list of words that is read as it is. The licence asks for its name, and binds only changed lists.',
  },
]

/**
 * Every name of an expression such as `(MIT OR CC0-1.0)`; `some` when one of them is enough. Mixed ones are for people
 * to read.
 */
const readNames = (licence: unknown): { names: string[]; some: boolean } => {
  // The form of old packages, which offer a choice.
  if (Array.isArray(licence)) return { names: licence.map(({ type }: { type?: unknown }) => String(type)), some: true }
  if (typeof licence !== 'string') return { names: [], some: false }
  const bare = licence.replace(/^\((.*)\)$/, '$1')
  const [either, both] = [bare.split(' OR '), bare.split(' AND ')]
  if (either.length > 1 && both.length > 1) return { names: [], some: false }
  return either.length > 1 ? { names: either, some: true } : { names: both, some: false }
}

const isAllowed = ({ name, licence }: InstalledPackage): boolean => {
  const { names, some } = readNames(licence)
  const fits = (one: string) =>
    allowed.has(one) || exceptions.some((exception) => exception.licence === one && exception.packages.test(name))
  return names.length > 0 && (some ? names.some(fits) : names.every(fits))
}

/** Installed dependencies, of production and of development, whose licence is in no list, or that say none. */
export const licenceFaults = (root: string): string[] =>
  installedPackages(root)
    .filter((one) => !isAllowed(one))
    .map(({ name, version, licence }) => `${name}@${version}: ${JSON.stringify(licence) ?? 'says no licence'}`)
    .toSorted()
