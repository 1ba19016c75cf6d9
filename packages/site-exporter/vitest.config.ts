import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'site-exporter',
    include: ['src/**/*.test.ts'],
    // Loading the parsers takes longer than most test files, so a worker loads them once instead of for every file.
    isolate: false,
    // Far beyond what a busy machine needs, so only a hanging test reaches it. Milliseconds.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
  },
})
