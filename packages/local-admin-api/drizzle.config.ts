import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: ['./src/database/database.ts', './src/**/*.table.ts'],
  out: './src/database/migrations',
})
