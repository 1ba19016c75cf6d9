import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { name: 'once', include: ['src/**/*.test.ts'], testTimeout: 600_000 },
})
