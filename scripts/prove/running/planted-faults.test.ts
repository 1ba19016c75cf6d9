import { globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Proof } from '#scripts/prove/proof.ts'
import { withFault } from './plant.ts'
import { proofNames } from './proof-names.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const sources = globSync(['apps/*/src/**/*.ts', 'packages/*/src/**/*.ts'], { cwd: root }).filter(
  (path) => !path.endsWith('.test.ts'),
)

test.for(proofNames())('every fault that the proof %s plants still fits the code it is planted in', async (name) => {
  const { proof } = (await import(join(import.meta.dirname, '..', `${name}.ts`))) as { proof: Proof }
  expect(proof.faults).not.toHaveLength(0)
  for (const fault of proof.faults) {
    const files = sources.filter((path) => `/${path}`.endsWith(`/${fault.file}`))
    expect([fault.file, files.length]).toEqual([fault.file, 1])
    // Throws when the piece is gone, or when its replacement does not parse.
    stripTypeScriptTypes(withFault(readFileSync(join(root, files[0]!), 'utf8'), fault))
  }
})
