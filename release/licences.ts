import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { installedPackages, lockedPackages, type InstalledPackage } from '#scripts/supply/installed-packages.ts'
import type { Bom } from '#scripts/supply/sbom.ts'

const licenceFile = /^(licen[cs]e|copying|notice|copyright)([-._].*)?$/i

/** Texts of the licence files of a package, in one order. Empty when it brings none. */
const readTexts = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && licenceFile.test(entry.name))
    .map(({ name }) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim())
    .toSorted()

const describeLicence = (licence: unknown) => (typeof licence === 'string' ? licence : JSON.stringify(licence))

const preface = `Licences of everything that this release of Docket contains.

Docket itself: LICENSE. Node.js and what is in it: node/LICENSE. The embedded PostgreSQL is under the PostgreSQL
Licence; the libraries beside it are ICU (Unicode), OpenSSL 1.1 (OpenSSL and SSLeay), libxml2 and libxslt (MIT), zlib
(Zlib), liblzma (public domain) and OSSP uuid (MIT). The bill of materials (CycloneDX) has the version or the checksum
of each part. The container image adds packages of Debian, whose licences are in /usr/share/doc.

Below are the npm packages, including those in the built page. Packages with the same text stand together.`

const postgresLicence = `PostgreSQL Database Management System
(also known as Postgres, formerly known as Postgres95)

Portions Copyright (c) 1996-2026, PostgreSQL Global Development Group

Portions Copyright (c) 1994, The Regents of the University of California

Permission to use, copy, modify, and distribute this software and its documentation for any purpose, without fee, and
without a written agreement is hereby granted, provided that the above copyright notice and this paragraph and the
following two paragraphs appear in all copies.

IN NO EVENT SHALL THE UNIVERSITY OF CALIFORNIA BE LIABLE TO ANY PARTY FOR DIRECT, INDIRECT, SPECIAL, INCIDENTAL, OR
CONSEQUENTIAL DAMAGES, INCLUDING LOST PROFITS, ARISING OUT OF THE USE OF THIS SOFTWARE AND ITS DOCUMENTATION, EVEN IF
THE UNIVERSITY OF CALIFORNIA HAS BEEN ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.

THE UNIVERSITY OF CALIFORNIA SPECIFICALLY DISCLAIMS ANY WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED
WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE. THE SOFTWARE PROVIDED HEREUNDER IS ON AN "AS IS"
BASIS, AND THE UNIVERSITY OF CALIFORNIA HAS NO OBLIGATIONS TO PROVIDE MAINTENANCE, SUPPORT, UPDATES, ENHANCEMENTS, OR
MODIFICATIONS.`

const section = (names: readonly string[], text: string) => `${'='.repeat(80)}\n${names.join('\n')}\n\n${text}\n`

/** The list of licences of packages, each with the texts that it brings. */
export const formatLicences = (packages: readonly InstalledPackage[]): string => {
  const groups = new Map<string, { names: string[]; text: string }>()
  for (const { name, version, licence, folder } of packages) {
    const texts = readTexts(folder)
    const text = texts.length === 0 ? 'The package names its licence and brings no text.' : texts.join('\n\n---\n\n')
    const key = createHash('sha256').update(text).digest('hex')
    const group = groups.get(key) ?? { names: [], text }
    group.names.push(`${name}@${version}: ${describeLicence(licence)}`)
    groups.set(key, group)
  }
  const sections = [...groups.values()]
    .map(({ names, text }) => ({ names: names.toSorted(), text }))
    .toSorted((a, b) => (a.names.join() < b.names.join() ? -1 : 1))
  return [
    `${preface}\n`,
    section(['postgresql: PostgreSQL'], postgresLicence),
    ...sections.map(({ names, text }) => section(names, text)),
  ].join('\n')
}

/** Installed packages below `root` that a bill of materials names. */
export const packagesInBom = (root: string, { components }: Bom): InstalledPackage[] => {
  const named = new Set(
    components.map(
      ({ name, group, version }) => `${typeof group === 'string' ? `${group}/` : ''}${name}@${String(version)}`,
    ),
  )
  return installedPackages(root, lockedPackages(root)).filter(({ name, version }) => named.has(`${name}@${version}`))
}
