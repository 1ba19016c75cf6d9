import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { name: 'return-to', include: ['src/**/*.test.ts'], testTimeout: 600_000 },
})
