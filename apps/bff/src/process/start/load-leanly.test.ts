import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startDocket } from '#testing/docket-process.ts'

const folder = await mkdtemp(join(tmpdir(), 'docket-lean-'))
afterAll(() => rm(folder, { recursive: true }))

// Reports at the exit of a Docket which files it loaded, and where it keeps compiled code.
const report = `
  import { getCompileCacheDir, registerHooks } from 'node:module'
  const files = []
  registerHooks({
    load: (url, context, next) => {
      files.push(url)
      return next(url, context)
    }
  })
  process.on('exit', () => console.log('loaded ' + JSON.stringify({ files, cache: getCompileCacheDir() ?? null })))`
const reporting = `--import=data:text/javascript,${encodeURIComponent(report)}`

const readReport = (stdout: string) =>
  JSON.parse(/^loaded (.*)$/m.exec(stdout)?.[1] ?? '') as { files: string[]; cache: string | null }

/** Names of the packages, ours by their folder. */
const listPackages = (files: readonly string[]): string[] => [
  ...new Set(
    files.flatMap((url) => {
      const [, installed] = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? []
      const [, own] = /\/packages\/([^/]+)\/src\//.exec(url) ?? []
      return installed ?? (own === undefined ? [] : `packages/${own}`)
    }),
  ),
]

/** Everything that a console loads on which nobody does anything. What else a feature needs, it imports when it is used. */
const atRest = `
  packages/api-types packages/artifact-store packages/code-hosts packages/embedded-postgres packages/local-admin-api packages/once packages/outbound
  packages/return-to packages/site-bundle packages/site-delivery packages/sources
  @hono/node-server hono ipaddr.js lru-cache
  @hono/zod-openapi @asteasolutions/zod-to-openapi @hono/zod-validator zod
  drizzle-orm pg pg-connection-string pg-int8 pg-pool pg-protocol pg-types postgres-array postgres-bytea postgres-date postgres-interval xtend
  pg-boss cron-parser luxon non-error p-map rrule-temporal serialize-error
  pino @pinojs/redact atomic-sleep on-exit-leak-free pino-std-serializers quick-format-unescaped safe-stable-stringify sonic-boom thread-stream
  @noble/ciphers csv-stringify otpauth pend undici yauzl`
  .trim()
  .split(/\s+/)

test('a start loads Drizzle from its CommonJS build and caches compiled code for the next start', async () => {
  const stdout = await new Promise<string>((resolve) =>
    execFile(
      process.execPath,
      [reporting, join(import.meta.dirname, '..', '..', 'main.ts')],
      // A wrong port ends it after its imports.
      { env: { PATH: process.env.PATH, PORT: 'http' } },
      (_, stdout) => resolve(stdout),
    ),
  )
  const { files, cache } = readReport(stdout)
  expect(files.filter((url) => /\/drizzle-orm\/.*\.cjs$/.test(url)).length).toBeGreaterThan(20)
  expect(files.filter((url) => /\/drizzle-orm\/.*\.js$/.test(url))).toEqual([])
  expect(cache).toContain(join('node_modules', '.cache', 'compiled'))
})

test('an idle Docket has loaded no package that only unused features need', async () => {
  const server = startDocket({
    DATA_DIR: folder,
    ADMIN_API_URL: 'http://127.0.0.1:1',
    ADMIN_API_KEY: 'key',
    NODE_OPTIONS: reporting,
  })
  await fetch(`${await server.ready}/api/setup`)
  const { stdout } = await server.kill('SIGINT')
  const { files } = readReport(stdout)
  expect(
    listPackages(files).filter((name) => !atRest.includes(name) && !name.startsWith('@embedded-postgres/')),
  ).toEqual([])
  const unused =
    /zod\/v4\/locales\/(?!en)|undici\/lib\/(web|mock|cache)|site-bundle\/src\/(host-configuration|analyse-bundle)/
  expect(files.filter((url) => unused.test(url))).toEqual([])
})
