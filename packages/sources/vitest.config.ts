import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { name: 'sources', include: ['src/**/*.test.ts'], testTimeout: 30_000, hookTimeout: 60_000 },
})
