import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApiErrorBody } from '@docket/api-types/api-error'
import { Comparison, PageComparison, ReleaseNote } from '@docket/api-types/comparisons'
import { type ObjectStorage, StorageFailed } from '@docket/artifact-store/object-storage'
import { createDiskStorage } from '@docket/artifact-store/local-disk/disk-storage'
import { generateSite, writeText, type SiteBuild } from '@docket/site-bundle/comparison/testing/generated-site'
import { openMemorySite } from '@docket/site-bundle/comparison/testing/memory-site'
import type { StoredSite } from '@docket/site-bundle/open-site'
import { inTurnPerKey } from '@docket/once'
import { eq, sql } from 'drizzle-orm'
import { Hono } from 'hono'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BundlesCtx } from '#bundles/bundles-ctx.ts'
import { artifacts, storedBundles } from '#bundles/artifacts/artifacts.table.ts'
import { sites } from '#ground/db/sites.table.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { AppEnv } from '#ground/http/app-env.ts'
import { onError } from '#ground/http/on-error.ts'
import { setRequestContext } from '#ground/http/request-context.ts'
import { createLog } from '#ground/log/log.ts'
import { addConnection, addRecords } from '#testing/connections.ts'
import { testDatabase, type TestDatabase } from '#testing/database.ts'
import { createComparisonKeeper } from './comparison-keeper.ts'
import { artifactRoutes } from '#bundles/artifacts.routes.ts'
import { readChanges } from './comparisons.ts'

const log = createLog({ level: 'silent', destination: { write: () => undefined } })
const { signal } = new AbortController()
let database: TestDatabase
let folder: string

beforeAll(async () => {
  database = await testDatabase()
  folder = await mkdtemp(join(tmpdir(), 'docket-comparisons-'))
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

type MemorySite = ReturnType<typeof openMemorySite>
const openSite = (build: Partial<SiteBuild>): MemorySite =>
  openMemorySite(generateSite({ pages: 4, build: 'first', ...build }))

const openKeeper = (store = folder) =>
  createComparisonKeeper({
    storage: createDiskStorage(store),
    openFolder: async (name) => {
      const path = await mkdtemp(join(folder, `.${name.slice(0, 8)}`))
      return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
    },
    log,
  })
const toBundle = async (site: MemorySite) => ({
  sha256: (await site.manifest()).sha256,
  site: site as unknown as StoredSite,
})

/** A site with the given artifacts, oldest first, behind the routes. */
const serve = async (name: string, builds: readonly MemorySite[]) => {
  const { db } = database
  const connectionId = await addConnection(db, name)
  const [site] = await db
    .insert(sites)
    .values({ connectionId, domain: `${name}.example.com`, createdAt: new Date() })
    .returning()
  const found = new Map<string, { sha256: string; site: StoredSite }>()
  const exportIds: string[] = []
  for (const [place, build] of builds.entries()) {
    const { exportId } = await addRecords(db, connectionId, `${name}-${place}`)
    const bundle = await toBundle(build)
    const pages = (await build.manifest()).pages.length
    const facts = { ending: '.tar.gz', sizeBytes: 1, storedBytes: 1, contentBytes: 1, files: 1, pages }
    const at = new Date(Date.UTC(2026, 0, 1 + place))
    await db
      .insert(storedBundles)
      .values({ sha256: bundle.sha256, ...facts, storedAt: at })
      .onConflictDoNothing()
    await db
      .insert(artifacts)
      .values({ exportId, siteId: site!.siteId, state: 'stored', sha256: bundle.sha256, storedAt: at, exportedAt: at })
    await db.execute(
      sql`update static_exports set started_at = ${at.toISOString()}, version = ${`v${place}`} where export_id = ${exportId}`,
    )
    found.set(exportId, bundle)
    exportIds.push(exportId)
  }
  return { exportIds, found, siteId: site!.siteId }
}

const openRoutes = (...served: Awaited<ReturnType<typeof serve>>[]) => openRoutesWith(openKeeper(), served)
const openRoutesWith = (
  keeper: ReturnType<typeof openKeeper>,
  served: readonly Awaited<ReturnType<typeof serve>>[],
) => {
  const hidden = new Set<string>()
  const counted: string[] = []
  const stored = served.flatMap(({ found }) => [...found.values()])
  const ctx = {
    db: database.db,
    comparing: keeper,
    inTurn: inTurnPerKey(),
    view: async () => ({ name: null, problem: null, retentionDays: 1 }),
    openSite: (sha256: string) => stored.find((one) => one.sha256 === sha256)!.site,
    exports: {
      find: async () => ({}),
      countChange: async (_: unknown, exportIds: readonly string[]) => void counted.push(...exportIds),
    },
    ensureInScope: async (exportId: string) => {
      if (hidden.has(exportId)) throw new AppError('not_found', 'There is no such export.')
    },
  } as unknown as BundlesCtx
  const app = new Hono<AppEnv>()
  app.use(setRequestContext(log))
  app.onError(onError(() => false))
  app.route('/', artifactRoutes(ctx))
  const get = async (exportId: string, path = '', query: Record<string, string> = {}) => {
    const response = await app.request(
      `/api/static-exports/${exportId}/artifact/changes${path}?${new URLSearchParams(query).toString()}`,
    )
    return { status: response.status, body: (await response.json()) as unknown }
  }
  return { get, hidden, counted, ctx }
}

test('an export is compared with the one stored before it, with paging, filters, text changes and a note', async () => {
  const builds = [
    openSite({ pages: 8, build: 'first' }),
    openSite({
      pages: 8,
      build: 'the second',
      texts: new Map([[3, writeText(3, 240).replace(/^\w+/, 'changed')]]),
      names: new Map([[5, 'start/first-steps']]),
      without: new Set([7]),
    }),
    openSite({ pages: 8, build: 'third' }),
  ]
  const served = await serve('docs', builds)
  const [first, second, third] = served.exportIds as [string, string, string]
  const { get, counted, ctx } = openRoutes(served)

  expect([...(await readChanges(ctx, second))]).toEqual([])
  const comparison = Comparison.parse((await get(second, '', { limit: '2' })).body)
  expect(comparison).toMatchObject({
    earlier: { exportId: first, startedAt: '2026-01-01T00:00:00.000Z', version: 'v0', pages: 8 },
    later: { exportId: second, version: 'v1', pages: 7 },
    others: [{ exportId: third }],
    counts: { added: 0, removed: 1, changed: 2, moved: 1 },
    total: 4,
    next: 2,
  })
  // The row of the export has the counts from now on, although they could not be written when it was stored.
  const readRow = async (exportId: string) =>
    (await database.db.select().from(artifacts).where(eq(artifacts.exportId, exportId)))[0]
  const noted = { comparedWith: first, pagesAdded: 0, pagesRemoved: 1, pagesChanged: 2, pagesMoved: 1 }
  expect(await readRow(second)).toMatchObject(noted)
  const rest = Comparison.parse((await get(second, '', { skip: '2' })).body)
  expect([...comparison.pages, ...rest.pages].map(({ kind, address }) => `${kind} ${address}`)).toEqual([
    'changed /guide/page-3',
    'changed /guide/page-6',
    'removed /guide/page-7',
    'moved /start/first-steps',
  ])
  expect(rest.next).toBeNull()
  expect([...(await readChanges(ctx, second))]).toEqual([
    ['/guide/page-3', 'changed'],
    ['/guide/page-6', 'changed'],
    ['/start/first-steps', 'moved'],
  ])
  const filtered = Comparison.parse((await get(second, '', { kind: 'moved', q: 'PAGE-5' })).body)
  expect([filtered.total, filtered.pages[0]?.from, filtered.counts.changed]).toEqual([1, '/guide/page-5', 2])

  const page = PageComparison.parse((await get(second, '/page', { address: '/guide/page-3' })).body)
  expect(page.page).toMatchObject({ kind: 'changed', words: { added: 1, removed: 1 } })
  expect(page.blocks.flatMap(({ runs }) => runs).filter(({ kind }) => kind === 'added')).toEqual([
    { kind: 'added', text: 'changed' },
  ])
  const removed = PageComparison.parse((await get(second, '/page', { address: '/guide/page-7' })).body)
  expect(removed.blocks.every(({ runs }) => runs.every(({ kind }) => kind === 'removed'))).toBe(true)
  expect(await get(second, '/page', { address: '/guide/page-1' })).toMatchObject({ status: 404 })

  const { markdown } = ReleaseNote.parse((await get(second, '/note')).body)
  expect(markdown).toContain('v0 (2026-01-01) → v1 (2026-01-02)')
  expect(markdown).toContain('- [Page 5](/start/first-steps), before at /guide/page-5')
  expect(Comparison.parse((await get(third, '', { against: first })).body).pages).toEqual([])
  expect(await readRow(third)).toMatchObject({ comparedWith: null, pagesAdded: null })
  expect(counted).toEqual([second])
})

test('comparing with an export that is of another site, unstored, out of scope or missing is refused with a readable error', async () => {
  const one = await serve('one', [openSite({}), openSite({ build: 'second' })])
  const other = await serve('other', [openSite({ build: 'third' })])
  const { get, hidden } = openRoutes(one, other)
  const [first, second] = one.exportIds as [string, string]
  const refusal = async (exportId: string, query: Record<string, string> = {}) => {
    const { status, body } = await get(exportId, '', query)
    return [status, ApiErrorBody.parse(body).message]
  }
  expect(await refusal(first)).toEqual([404, expect.stringContaining('nothing to compare it with')])
  expect(await refusal(second, { against: other.exportIds[0]! })).toEqual([
    400,
    'The exports are of different sites. Choose another export of the same site.',
  ])
  expect(await refusal(second, { against: crypto.randomUUID() })).toEqual([
    404,
    'Docket has not saved the bundle of this export.',
  ])
  expect(await refusal(crypto.randomUUID())).toEqual([404, 'Docket has not saved the bundle of this export.'])
  hidden.add(first)
  expect(await refusal(second)).toEqual([404, 'There is no such export.'])
  expect(await refusal(second, { against: first })).toEqual([404, 'There is no such export.'])
})

test('an unavailable store is reported as such, whether it fails before, during or after the comparison', async () => {
  const away = new StorageFailed('The object storage did not answer.')
  const [first, second] = [openSite({}), openSite({ build: 'away', texts: new Map([[2, 'Short.']]) })]
  const served = await serve('away', [first, second])
  const exportId = served.exportIds[1]!
  const open = (read: ObjectStorage['read']) =>
    openRoutesWith(
      createComparisonKeeper({
        storage: { read, put: () => Promise.reject(away) },
        openFolder: async () => ({ path: folder, [Symbol.asyncDispose]: async () => undefined }),
        log,
      }),
      [served],
    )
  const words = [503, 'The object storage did not answer. Try again.']
  const refusal = async ({ get }: ReturnType<typeof open>, path = '', query: Record<string, string> = {}) => {
    const { status, body } = await get(exportId, path, query)
    return [status, ApiErrorBody.parse(body).message]
  }
  const gone = open(() => Promise.reject(away))
  for (const path of ['', '/note']) expect(await refusal(gone, path)).toEqual(words)
  await expect(readChanges(gone.ctx, exportId)).rejects.toMatchObject({ code: 'busy' })
  const lost = open(async () => null)
  expect((await lost.get(exportId)).status).toBe(200)
  second.read = () => Promise.reject(away)
  for (const [path, query] of [['', {}] as const, ['/page', { address: '/guide/page-2' }] as const])
    expect(await refusal(lost, path, query)).toEqual(words)
})

test('a comparison is made once for concurrent callers, kept in the store, and made again when the stored copy is damaged', async () => {
  const store = join(folder, 'kept')
  const sitesOf = () => [openSite({}), openSite({ build: 'second', texts: new Map([[2, 'Short.']]) })] as const
  const [earlier, later] = sitesOf()
  const keeper = openKeeper(store)
  const bundles = [await toBundle(earlier), await toBundle(later)] as const
  const [one, two] = await Promise.all([keeper.load(...bundles), keeper.load(...bundles)])
  expect(one).toBe(two)
  expect(later.reads.filter((path) => path === 'guide/page-2.html')).toHaveLength(1)
  const file = `${bundles[0].sha256}-${bundles[1].sha256}.json.gz`
  expect(await readdir(join(store, 'comparisons'))).toEqual([file])

  const [again, laterAgain] = sitesOf()
  expect(await openKeeper(store).load(await toBundle(again), await toBundle(laterAgain))).toEqual(one)
  expect(laterAgain.reads).toEqual([])
  await writeFile(join(store, 'comparisons', file), 'half')
  expect(await openKeeper(store).load(...bundles)).toEqual(one)
  expect(await keeper.countChanges(earlier as unknown as StoredSite, later as unknown as StoredSite, signal)).toEqual(
    one.counts,
  )
})

test('a comparison is returned even if the store is full, and a waiting one ends when its caller leaves or the server stops', async () => {
  const [earlier, later] = [openSite({}), openSite({ build: 'second', texts: new Map([[2, 'Short.']]) })]
  const full = createComparisonKeeper({
    storage: { read: async () => null, put: () => Promise.reject(new Error('The disk is full.')) },
    openFolder: async () => ({ path: folder, [Symbol.asyncDispose]: async () => undefined }),
    log,
  })
  const bundles = [await toBundle(earlier), await toBundle(later)] as const
  expect((await full.load(...bundles)).counts.changed).toBe(1)
  const silent = { ...bundles[1].site, manifest: () => new Promise<never>(() => undefined) }
  const waiting = full.load(bundles[0], { sha256: 'a'.repeat(64), site: silent })
  const caller = new AbortController()
  const counting = full.countChanges(bundles[0].site, bundles[1].site, caller.signal)
  caller.abort(new Error('nobody waits'))
  await expect(counting).rejects.toThrow('nobody waits')
  full.stop()
  await expect(waiting).rejects.toThrow('shutting down')
})
