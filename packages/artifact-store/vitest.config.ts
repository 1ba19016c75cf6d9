import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { name: 'artifact-store', include: ['src/**/*.test.ts'], testTimeout: 30_000, hookTimeout: 60_000 },
})
