import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'web',
    include: ['src/**/*.test.ts'],
    // Most files take less time than a worker takes to start: it starts once and not for every file.
    isolate: false,
    testTimeout: 600_000,
  },
})
