import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'code-hosts',
    include: ['src/**/*.test.ts'],
    // A worker loads the sources once and not for every file.
    isolate: false,
    // Far beyond what a busy machine needs, so only a hanging test reaches it. Milliseconds.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
  },
})
