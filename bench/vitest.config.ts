import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { name: 'bench', include: ['**/*.test.ts'], testTimeout: 600_000, hookTimeout: 600_000 },
})
