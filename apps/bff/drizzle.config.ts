import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: ['./src/**/*.table.ts', './src/db/revision.ts'],
  out: './src/db/migrations',
})
