import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'doc-agent',
    include: ['src/**/*.test.ts'],
    globalSetup: ['src/testing/install-bubblewrap.ts'],
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
