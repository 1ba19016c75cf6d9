import { defineConfig } from 'vitest/config'

export default defineConfig({ test: { name: 'proofs', include: ['**/*.test.ts'], testTimeout: 60_000 } })
