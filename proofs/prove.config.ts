import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { ownFaults, withFault } from './harness/plant.ts'

const root = join(import.meta.dirname, '..')

const configs = globSync('{apps/*,packages/*,bench,proofs,release,scripts}/vitest.config.ts', { cwd: root })

/** Tests that start whole processes. */
export const proveFiles = () =>
  configs.flatMap((config) => globSync(`${dirname(config)}/**/*.prove.ts`, { cwd: root, exclude: ['**/node_modules'] }))

/** Breaks the sources of a test that a proof plays with a fault planted. */
const plantFaults = {
  name: 'plant-faults',
  enforce: 'pre' as const,
  transform: (code: string, id: string) =>
    ownFaults()
      .filter(({ file }) => id.endsWith(`/${file}`))
      .reduce(withFault, code),
}

/** The projects of `npm test`, with the files that only `pnpm prove` runs. Whoever runs it names files. */
export default defineConfig({
  test: {
    projects: configs.map((config) => ({
      extends: join(root, config),
      root: join(root, dirname(config)),
      plugins: [plantFaults],
      // A cached module has no fault, or one of another run.
      test: { name: dirname(config), include: ['**/*.prove.ts'], fsModuleCache: false },
    })),
  },
})
