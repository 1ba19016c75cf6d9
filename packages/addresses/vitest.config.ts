import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { name: 'addresses', include: ['src/**/*.test.ts'], testTimeout: 600_000 },
})
