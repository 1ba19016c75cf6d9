import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

// Reports at the exit of a Docket what it loaded. A wrong port ends it after its imports.
const report = `
  import { createRequire, getCompileCacheDir } from 'node:module'
  process.on('exit', () => {
    const loaded = Object.keys(createRequire('file:///').cache).filter((path) => /[/]drizzle-orm[/].*[.]cjs$/.test(path))
    console.log(JSON.stringify({ drizzle: loaded.length, cache: getCompileCacheDir() ?? null }))
  })`

test('a start loads Drizzle from its CommonJS build and keeps compiled code for the next one', async () => {
  const stdout = await new Promise<string>((resolve) =>
    execFile(
      process.execPath,
      [
        '--import',
        `data:text/javascript,${encodeURIComponent(report)}`,
        join(import.meta.dirname, '..', '..', 'main.ts'),
      ],
      { env: { PATH: process.env.PATH, PORT: 'http' } },
      (_, stdout) => resolve(stdout),
    ),
  )
  const { drizzle, cache } = JSON.parse(stdout) as { drizzle: number; cache: string | null }
  expect(drizzle).toBeGreaterThan(20)
  expect(cache).toContain(join('node_modules', '.cache', 'compiled'))
})
