import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'local-admin-api',
    include: ['src/**/*.test.ts'],
    globalSetup: ['../doc-agent/src/testing/install-bubblewrap.ts'],
    // Loading the parsers takes longer than most files of tests: a worker loads them once and not for every file.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
