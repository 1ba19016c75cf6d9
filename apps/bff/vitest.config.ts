import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'bff',
    include: ['src/**/*.test.ts'],
    globalSetup: ['src/testing/global-setup.ts'],
    // Loading the server takes longer than most files of tests: a worker loads it once and not for every file.
    isolate: false,
    setupFiles: ['src/testing/one-process.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
