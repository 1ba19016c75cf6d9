import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'bff',
    include: ['src/**/*.test.ts'],
    globalSetup: ['src/testing/global-setup.ts'],
    // Loading the server takes longer than most files of tests: a worker loads it once and not for every file.
    isolate: false,
    setupFiles: ['src/testing/one-process.ts'],
    // Only a test that fails waits as long: no test may fail by the time that a busy machine takes.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
  },
})
