import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { defineConfig } from 'vitest/config'

const root = join(import.meta.dirname, '..')

/** The tests that start whole processes, which `npm test` leaves out: `*.prove.ts`, in the projects of their packages. */
export default defineConfig({
  root,
  test: {
    projects: globSync('{apps/bff,packages/*}/vitest.config.ts', { cwd: root }).map((config) => ({
      extends: join(root, config),
      root: join(root, dirname(config)),
      test: { name: dirname(config), include: ['src/**/*.prove.ts'], exclude: ['**/*.test.ts'] },
    })),
  },
})
