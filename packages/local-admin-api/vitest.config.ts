import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'local-admin-api',
    // Such as a query on a client of pg that is still busy with another one.
    execArgv: ['--throw-deprecation'],
    include: ['src/**/*.test.ts'],
    globalSetup: ['src/testing/global-setup.ts', '../sandbox/src/testing/install-bubblewrap.ts'],
    // Loading the parsers takes longer than most files of tests: a worker loads them once and not for every file.
    isolate: false,
    // Far beyond what a busy machine needs, so only a hanging test reaches it. Milliseconds.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
  },
})
