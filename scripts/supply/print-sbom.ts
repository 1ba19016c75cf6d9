import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sbomAdditions } from './sbom-additions.ts'
import { buildSbom, type Bom } from './sbom.ts'

// `pnpm run sbom [file]`: what Docket ships, as CycloneDX 1.6, to the file or to standard output. The same installation
// gives the same bytes; SOURCE_DATE_EPOCH (seconds) adds a time.
const root = join(import.meta.dirname, '..', '..')
const pnpm = ['sbom', '--sbom-format=cyclonedx', '--sbom-spec-version=1.6', '--sbom-type=application', '--prod']
if (spawnSync('pnpm', ['--version'], { cwd: root }).status !== 0) {
  const { usePnpm } = (await import(join(root, 'scripts/bootstrap/prepare.mjs'))) as {
    usePnpm: (root: string) => Promise<void>
  }
  await usePnpm(root)
}
const found = JSON.parse(execFileSync('pnpm', pnpm, { cwd: root, encoding: 'utf8', maxBuffer: 64 << 20 })) as Bom
const epoch = process.env['SOURCE_DATE_EPOCH']
const timestamp = epoch === undefined ? undefined : new Date(Number(epoch) * 1000).toISOString()
const json = `${JSON.stringify(buildSbom(found, sbomAdditions(root), timestamp), null, 2)}\n`
const [, , file] = process.argv
if (file === undefined) process.stdout.write(json)
else writeFileSync(file, json)
