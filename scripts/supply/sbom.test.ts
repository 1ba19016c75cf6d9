import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { buildSbom, type Bom } from './sbom.ts'

const print = (env: Record<string, string> = {}): string =>
  execFileSync(process.execPath, [join(import.meta.dirname, 'print-sbom.ts')], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 64 << 20,
  })

const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6)
let output = ''
let bom: Bom

beforeAll(() => {
  output = print()
  bom = JSON.parse(output) as Bom
})

test('the SBOM is valid CycloneDX 1.6, and an invalid document is rejected', async () => {
  expect(await validator.validate(output)).toBeNull()
  expect(await validator.validate(output.replace('"library"', '"libary"'))).not.toBeNull()
})

test('the SBOM lists the server, the web app, the database and Node, and nothing that only tests need', () => {
  const refs = bom.components.map((one) => one['bom-ref'])
  const has = (start: string) => refs.some((ref) => ref.startsWith(start))
  for (const start of [
    'pkg:npm/hono@',
    'pkg:npm/react@',
    'pkg:npm/tailwindcss@',
    'pkg:generic/postgresql@',
    'pkg:generic/node@',
  ])
    expect(has(start), start).toBe(true)
  for (const start of ['pkg:npm/vitest@', 'pkg:npm/vite@', 'pkg:npm/oxlint@']) expect(has(start), start).toBe(false)
})

test('every component of the SBOM has a licence or a file hash, and another component depends on it', () => {
  expect(bom.components.filter((one) => one['licenses'] === undefined && one['hashes'] === undefined)).toEqual([])
  const needed = new Set(bom.dependencies.flatMap(({ dependsOn }) => dependsOn))
  expect(bom.components.filter((one) => !needed.has(one['bom-ref']))).toEqual([])
})

test('every library inside the embedded PostgreSQL has a name, a version, a licence and identifiers for scanners', () => {
  const libraries = bom.components.filter((one) => one['bom-ref'].startsWith('file:postgresql/lib/'))
  const named = libraries.map(({ name, version, licenses, cpe, purl }) => [name, version, licenses, cpe, purl])
  expect(named.filter((one) => one.includes(undefined))).toEqual([])
  expect(libraries.length).toBeGreaterThan(5)
  expect(bom.components).toContainEqual(
    expect.objectContaining({ name: 'openssl', cpe: expect.stringMatching(/^cpe:2\.3:a:openssl:openssl:1\.1\.1/) }),
  )
})

test('the SBOM can be made without pnpm on the PATH', () => {
  const path = mkdtempSync(join(tmpdir(), 'docket-sbom-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  symlinkSync(process.execPath, join(path, 'node'))
  const npm = process.env['PATH']!.split(delimiter).find((folder) => existsSync(join(folder, 'npm')))
  if (npm !== undefined) symlinkSync(join(npm, 'npm'), join(path, 'npm'))
  expect(print({ PATH: `${path}${delimiter}/usr/bin${delimiter}/bin` })).toBe(output)
})

test('the same installation gives an identical SBOM, with a time only if one is given', () => {
  expect(print()).toBe(output)
  expect(bom.metadata.timestamp).toBeUndefined()
  expect((JSON.parse(print({ SOURCE_DATE_EPOCH: '1000000000' })) as Bom).metadata.timestamp).toBe(
    '2001-09-09T01:46:40.000Z',
  )
})

test('the serial number changes with the content, but not with the order in which it was found', () => {
  const part = (name: string) => ({ 'bom-ref': name, type: 'library', name })
  const found = (names: string[]): Bom => ({
    metadata: { component: { 'bom-ref': 'whole' } },
    components: names.map(part),
    dependencies: [{ ref: 'whole', dependsOn: names }],
  })
  const { serialNumber } = buildSbom(found(['a', 'b']), [])
  expect(buildSbom(found(['b', 'a']), []).serialNumber).toBe(serialNumber)
  expect(buildSbom(found(['a', 'c']), []).serialNumber).not.toBe(serialNumber)
})
