import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // Tests wait for databases and processes most of the time. By itself vitest leaves one of two cores alone.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    projects: ['apps/*/vitest.config.ts', 'packages/*/vitest.config.ts', 'scripts/vitest.config.ts'],
  },
})
