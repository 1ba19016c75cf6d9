import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'doc-agent',
    include: ['src/**/*.test.ts'],
    globalSetup: ['../sandbox/src/testing/install-bubblewrap.ts'],
    isolate: false,
    // Far beyond what a busy machine needs, so only a hanging test reaches it. Milliseconds.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
  },
})
