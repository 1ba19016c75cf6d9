import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: ['./src/**/*.table.ts', './src/ground/db/revision.ts'],
  out: './src/ground/db/migrations',
})
