import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { testDatabase } from '#testing/database.ts'
import { testApp } from '#testing/test-app.ts'

const folder = await mkdtemp(join(tmpdir(), 'docket-builds-'))
afterAll(() => rm(folder, { recursive: true }))

/** Writes a build whose script has a name of its own, and a style that every build has. */
const writeBuild = async (hash: string): Promise<string> => {
  const build = join(folder, hash)
  const script = `export const build = '${hash}${'x'.repeat(5_000)}'\n`
  await mkdir(join(build, 'assets'), { recursive: true })
  await writeFile(join(build, 'index.html'), `<script type="module" src="/assets/index-${hash}.js"></script>`)
  await writeFile(join(build, 'theme.js'), `// ${hash}`)
  await writeFile(join(build, 'assets', `index-${hash}.js`), script)
  await writeFile(join(build, 'assets', `index-${hash}.js.br`), brotliCompressSync(script))
  await writeFile(join(build, 'assets', `index-${hash}.js.gz`), gzipSync(script))
  await writeFile(join(build, 'assets', 'index-SharedAB.css'), 'body{}')
  return build
}

const replicas = async () => {
  const database = await testDatabase()
  onTestFinished(database.drop)
  let nowMs = Date.now()
  const start = async (hash: string) => {
    const app = await testApp({ database, webFolder: await writeBuild(hash), now: () => nowMs })
    onTestFinished(app.close)
    return app
  }
  const paths = async () =>
    (await database.db.execute<{ path: string }>(sql`select path from web_files order by 1`)).rows.map(
      ({ path }) => path,
    )
  return { ...database, start, paths, pass: (days: number) => void (nowMs += days * 86_400_000) }
}

test('every replica serves the hashed files of every build, including later ones', async () => {
  const { start } = await replicas()
  const older = await start('Older-01')
  const newer = await start('Newer_02')
  for (const [app, hash] of [
    [older, 'Newer_02'],
    [newer, 'Older-01'],
    [older, 'Older-01'],
  ] as const)
    for (const [encoding, accepted] of [
      ['br', 'br, gzip'],
      ['gzip', 'gzip'],
      [null, 'identity'],
    ]) {
      const response = await app.get(`/assets/index-${hash}.js`, { 'accept-encoding': accepted! })
      expect(response.status).toBe(200)
      expect(response.headers.get('content-encoding')).toBe(encoding)
      expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(await response.text()).toBe(`export const build = '${hash}${'x'.repeat(5_000)}'\n`)
    }
})

test('a file of another build has the same entity tag as in its own build, and supports 304 and HEAD', async () => {
  const { start } = await replicas()
  const [one, other] = [await start('Older-01'), await start('Newer_02')]
  const path = '/assets/index-Newer_02.js'
  const tag = (await other.get(path)).headers.get('etag')!
  expect((await one.get(path)).headers.get('etag')).toBe(tag)
  expect((await one.get(path, { 'if-none-match': tag })).status).toBe(304)
  const head = await fetch(one.url + path, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
})

test.each([
  '/theme.js',
  '/index.html',
  '/assets/plain.js',
  '/assets/../secret-ABCDEFGH.js',
  '/assets/a%2fb-ABCDEFGH.js',
])('only hashed files are served from the database, never %s', async (path) => {
  const { db, start, paths } = await replicas()
  const app = await start('Older-01')
  expect(await paths()).toEqual(['/assets/index-Older-01.js', '/assets/index-SharedAB.css'])
  await db.execute(sql`insert into web_files values (${path}, 'planted', null, null, now())`)
  const response = await app.get(path)
  expect(await response.text()).not.toContain('planted')
})

test('a hashed file that no build had is answered 404 with no-store', async () => {
  const { start } = await replicas()
  const response = await (await start('Older-01')).get('/assets/index-ABCDEFGH.js')
  expect([response.status, response.headers.get('cache-control')]).toEqual([404, 'no-store'])
})

test('a build is deleted 30 days after a Docket last ran it, and never while one runs it', async () => {
  const { start, paths, pass, db } = await replicas()
  const cleanUp = async (app: Awaited<ReturnType<typeof start>>) => {
    app.services.background.start()
    const before = (await db.execute(sql`select max(used_at) as at from web_files`)).rows[0]
    await app.services.background.request('old-builds')
    await expect
      .poll(async () => (await db.execute(sql`select max(used_at) as at from web_files`)).rows[0])
      .not.toEqual(before)
  }
  await start('Older-01')
  pass(1)
  const newer = await start('Newer_02')
  pass(28)
  await cleanUp(newer)
  expect(await paths()).toEqual([
    '/assets/index-Newer_02.js',
    '/assets/index-Older-01.js',
    '/assets/index-SharedAB.css',
  ])
  pass(2)
  await cleanUp(newer)
  expect(await paths()).toEqual(['/assets/index-Newer_02.js', '/assets/index-SharedAB.css'])
  const response = await newer.get('/assets/index-Newer_02.js')
  expect(response.status).toBe(200)
})

test('replicas of one build that start at the same time write its files once', async () => {
  const { start, paths } = await replicas()
  await Promise.all([start('Older-01'), start('Older-01'), start('Older-01')])
  expect(await paths()).toEqual(['/assets/index-Older-01.js', '/assets/index-SharedAB.css'])
})
