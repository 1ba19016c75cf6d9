import { defineConfig } from 'vitest/config'
import { secondTries } from '#scripts/second-tries.ts'

const report = process.env.UNIT_JSON_OUTPUT_FILE

export default defineConfig({
  test: {
    projects: ['apps/*/vitest.config.ts', 'packages/*/vitest.config.ts', '{bench,proofs,scripts}/vitest.config.ts'],
    reporters: report === undefined ? ['default', secondTries] : ['default', secondTries, 'json'],
    ...(report === undefined ? {} : { outputFile: { json: report } }),
  },
})
