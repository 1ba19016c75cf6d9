import { globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withFault } from '#proofs/harness/plant.ts'
import { proofs } from './list.ts'

const root = join(import.meta.dirname, '..')
const places = ['apps/*/src/**/*.ts', 'packages/*/src/**/*.ts', 'release/*.ts', 'deploy/**/*.*', 'deploy/**/Caddyfile']
const sources = globSync(places, { cwd: root }).filter((path) => !path.endsWith('.test.ts'))

test.for(proofs)('every piece of code that the proof $name replaces is still there', async ({ name, load }) => {
  const { proof } = await load()
  expect(proof.name).toBe(name)
  for (const fault of [proof.fault ?? [], proof.alsoReplaced ?? []].flat()) {
    const files = sources.filter((path) => `/${path}`.endsWith(`/${fault.file}`))
    expect([fault.file, files.length]).toEqual([fault.file, 1])
    // Throws when the piece is gone, or when its replacement does not parse.
    const broken = withFault(readFileSync(join(root, files[0]!), 'utf8'), fault)
    if (fault.file.endsWith('.ts')) stripTypeScriptTypes(broken)
  }
})
