import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'site-exporter',
    include: ['src/**/*.test.ts'],
    // Loading the parsers takes longer than most files of tests: a worker loads them once and not for every file.
    isolate: false,
    // Only a test that fails waits as long: no test may fail by the time that a busy machine takes.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
  },
})
