import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'portable-site',
    include: ['src/**/*.test.ts'],
    // Far beyond what a busy machine needs, so only a hanging test reaches it. Milliseconds.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
  },
})
