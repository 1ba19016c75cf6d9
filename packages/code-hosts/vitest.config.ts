import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'code-hosts',
    include: ['src/**/*.test.ts'],
    // Only a test that fails waits as long: no test may fail by the time that a busy machine takes.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
  },
})
