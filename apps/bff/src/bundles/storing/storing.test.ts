import { Readable } from 'node:stream'
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StorageFailed, StorageFull, type ObjectStorage } from '@docket/artifact-store/object-storage'
import { eq } from 'drizzle-orm'
import { expect, type MockInstance, onTestFinished, test, vi } from 'vitest'
import { storeCopy } from '#bundles/retention/retention.ts'
import { reportStorage } from '#bundles/retention/storage-report.ts'
import { AdminApiError, AppError } from '#ground/errors/app-error.ts'
import { acceptedFindings, artifacts, storedBundles } from '#bundles/artifacts/artifacts.table.ts'
import { createViolationStore } from '#bundles/artifacts/preview-violations.ts'
import { artifactKit, sumText } from '#testing/artifact-kit.ts'

const kit = async (options: Parameters<typeof artifactKit>[0] = {}) => {
  const made = await artifactKit(options)
  onTestFinished(made.close)
  return made
}

const finding = (fingerprint: string, level: string) => ({ fingerprint, level })
const bundle = (name: string, ...findings: object[]) => `${JSON.stringify(findings)} ${name}`
const whole = ['bundle', 'manifest.json.gz', 'report.json.gz', 'site.zip']
const namesIn = (sha256: string) => whole.map((name) => `artifacts/sha256/${sha256}/${name}`)

test('a completed export is stored byte for byte, with its history, counts, size and checksum', async () => {
  const here = await kit()
  const text = bundle('one', finding('aa', 'breaks'), finding('bb', 'leaks'), finding('cc', 'notes'))
  const exportId = await here.complete(text)
  expect(await here.read(exportId)).toMatchObject({ state: 'storing', progress: null, sha256: null })
  const before = await here.revision(exportId)
  await here.store(exportId)
  const sha256 = sumText(text)
  expect(await here.read(exportId)).toMatchObject({
    state: 'stored',
    reason: null,
    sha256,
    sizeBytes: text.length,
    files: 2,
    pages: 1,
    kept: false,
    deletedAfter: null,
    change: null,
    check: {
      state: 'finished',
      findings: {
        breaks: 1,
        leaks: 1,
        notes: 1,
      },
      added: null,
    },
  })
  expect(await here.files()).toEqual(namesIn(sha256))
  expect((await here.history(exportId)).map(({ kind, to }) => [kind, to])).toEqual([['bundle_stored', sha256]])
  expect(await here.revision(exportId)).toBeGreaterThan(before)
  expect(here.fetched).toEqual([exportId])
})

test('the next bundle of a site counts new causes, excludes accepted ones, and is compared with the previous bundle', async () => {
  const here = await kit()
  const first = await here.completeAndStore(bundle('one', finding('aa', 'breaks')), undefined, Date.now() - 60_000)
  const [{ siteId } = { siteId: '' }] = await here.db.select().from(artifacts)
  await here.db
    .insert(acceptedFindings)
    .values({ siteId, fingerprint: 'bb', reason: 'known', by: 'Zoë', at: new Date() })
  const second = await here.completeAndStore(
    bundle('two', finding('aa', 'breaks'), finding('bb', 'leaks'), finding('cc', 'leaks')),
  )
  expect(await here.read(second)).toMatchObject({
    check: { findings: { breaks: 1, leaks: 1, notes: 0 }, added: { breaks: 0, leaks: 1, notes: 0 } },
    change: { against: first, added: 1, removed: 2, changed: 3, moved: 4 },
  })
  const other = await here.completeAndStore(bundle('two'), 'other.example.com')
  expect((await here.read(other)).change).toBeNull()
  expect(await here.services.finder.find(second)).toMatchObject({ siteId, previous: { exportId: first } })
  await expect(here.services.finder.find(await here.complete())).rejects.toMatchObject({ code: 'not_found' })
})

test('storing the same bytes twice keeps one object, and reads nothing back the second time', async () => {
  const text = bundle('same')
  const here = await kit()
  const [one, two] = [await here.completeAndStore(text), await here.completeAndStore(text, 'other.example.com')]
  expect(await here.files()).toEqual(namesIn(sumText(text)))
  expect([(await here.read(one)).state, (await here.read(two)).state]).toEqual(['stored', 'stored'])
  // The copy of one stays when the other goes.
  await here.deleteCopy(one, { kind: 'person', id: null, name: 'Zoë', address: null, requestId: null })
  await here.db
    .update(storedBundles)
    .set({ releasedAt: new Date(0) })
    .where(eq(storedBundles.state, 'deleting'))
  await here.sweep()
  expect(await here.files()).toEqual(namesIn(sumText(text)))
})

test('a bundle that cannot be stored gets a reason and a remedy, and leaves no files', async () => {
  const here = await kit({ maxBytes: 1_000 })
  const endless = async function* () {
    for (;;) yield Buffer.alloc(600)
  }
  const gone = new AdminApiError('upstream_not_found', 'gone', { effect: 'none' })
  const cases = [
    ['not_an_archive', 'no archive', 'These bytes are no archive. Export again.'],
    ['not_an_archive', '', 'The bundle is empty. Export the site again.'],
    ['too_large', 'x'.repeat(1_001), 'ARTIFACT_MAX_BYTES'],
    ['too_large', endless, 'ARTIFACT_MAX_BYTES'],
    ['no_bundle', gone, 'Export the site again.'],
    ['disk_full', new StorageFull('full'), 'Free some space'],
    ['disk_full', Object.assign(new Error('write'), { code: 'ENOSPC' }), 'Free some space'],
  ] as const
  for (const [reason, given, words] of cases) {
    const exportId = await here.complete(given)
    await here.store(exportId)
    const { detail, ...shown } = await here.read(exportId)
    expect(shown).toMatchObject({ state: 'not_stored', reason, sha256: null, progress: null })
    expect(detail).toContain(words)
    expect((await here.history(exportId)).map(({ kind }) => kind)).toEqual(['bundle_not_stored'])
  }
  expect(await here.files()).toEqual([])
})

test('while the disk is nearly full, bundles wait with a reason and without an attempt, and are stored once there is room', async () => {
  let hasRoom = false
  const here = await kit({ hasRoom: () => hasRoom })
  const exportId = await here.complete(bundle('one'))
  const before = await here.revision(exportId)
  await here.services.tick()
  const waiting = { state: 'storing', detail: expect.stringContaining('the disk is nearly full') as unknown }
  expect(await here.read(exportId)).toMatchObject(waiting)
  expect(await here.revision(exportId)).toBeGreaterThan(before)
  expect(here.requested).toEqual([])
  for (let n = 0; n < 10; n += 1) await here.store(exportId)
  expect(await here.read(exportId)).toMatchObject(waiting)
  expect(here.fetched).toEqual([])
  hasRoom = true
  await here.services.tick()
  expect(here.requested).toEqual([exportId])
  await here.store(exportId)
  expect(await here.read(exportId)).toMatchObject({ state: 'stored', detail: null })
})

test('a temporary failure is retried, and given up with its reason after eight attempts', async () => {
  const here = await kit()
  const exportId = await here.complete(new AppError('upstream_unavailable', 'The bundle storage is away.'))
  for (let n = 1; n < 8; n += 1) {
    await expect(here.store(exportId)).rejects.toThrow('away')
    expect(await here.read(exportId)).toMatchObject({
      state: 'storing',
      detail: 'The bundle storage is away. Docket tries again.',
      progress: null,
    })
  }
  await here.store(exportId)
  expect(await here.read(exportId)).toMatchObject({ state: 'not_stored', reason: 'failed' })
  expect((await here.read(exportId)).detail).toContain('The bundle storage is away.')
  // Somebody asks again, and the service is back.
  here.bundles.set(exportId, bundle('back'))
  await storeCopy(here.ctx, exportId, { kind: 'person', id: null, name: 'Zoë', address: null, requestId: null })
  await here.store(exportId)
  expect((await here.read(exportId)).state).toBe('stored')
})

test('bundles that fail repeatedly do not delay other bundles', async () => {
  const here = await kit()
  for (let n = 0; n < 20; n += 1) {
    const failing = await here.complete(new AppError('upstream_unavailable', 'away'), 'docs.example.com', n)
    await here.store(failing).catch(() => {})
  }
  const exportId = await here.complete(bundle('x'))
  await here.services.tick()
  expect(here.requested).toContain(exportId)
})

test('a bundle that crashes the process at each attempt is given up', async () => {
  const here = await kit()
  const exportId = await here.complete(bundle('x'))
  await here.db.update(artifacts).set({ attempts: 8 })
  await here.store(exportId)
  expect(await here.read(exportId)).toMatchObject({ state: 'not_stored', reason: 'failed' })
  expect(here.fetched).toEqual([])
})

test('stopping Docket does not count as a failed attempt', async () => {
  const stopping = new AbortController()
  const here = await kit({
    analyse: () => {
      stopping.abort()
      return Promise.reject(new Error('stopped'))
    },
  })
  const exportId = await here.complete(bundle('x'))
  await expect(here.store(exportId, stopping.signal)).rejects.toThrow()
  const [row] = await here.db.select().from(artifacts)
  expect(row).toMatchObject({ state: 'storing', attempts: 0 })
  expect(await here.files()).toEqual([])
})

test('a store that truncates or changes bytes, fails, or is full never yields a wrong copy', async () => {
  const text = bundle('x')
  for (const [put, reason] of [
    [
      async (storage: ObjectStorage, key: string, file: string) => {
        await writeFile(file, 'half')
        await storage.put(key, file)
      },
      null,
    ],
    [() => Promise.resolve(), null],
    [() => Promise.reject(new StorageFailed('The object storage refused Docket.')), null],
    [() => Promise.reject(new StorageFull('full')), 'disk_full'],
  ] as const) {
    let isBroken = true
    const here = await kit({
      wrap: (storage) => ({
        ...storage,
        put: (key, file) => (isBroken && key.endsWith('/bundle') ? put(storage, key, file) : storage.put(key, file)),
      }),
    })
    const exportId = await here.complete(text)
    await here.store(exportId).catch(() => {})
    const { state, reason: why } = await here.read(exportId)
    expect([state, why]).toEqual(reason === null ? ['storing', null] : ['not_stored', reason])
    // Nothing of the attempt remains.
    expect(await here.files()).toEqual([])
    isBroken = false
    await storeCopy(here.ctx, exportId, {
      kind: 'person',
      id: null,
      name: 'Zoë',
      address: null,
      requestId: null,
    })
    await here.store(exportId)
    expect((await here.read(exportId)).state).toBe('stored')
    expect(await here.files()).toEqual(namesIn(sumText(text)))
  }
})

test('a bundle of the embedded service is hard-linked, without a call and without a second copy of its bytes', async () => {
  let source = ''
  const here = await kit({ findFile: () => Promise.resolve(source) })
  const text = bundle('local')
  source = join(here.folder, 'service', 'bundle.tar.gz')
  await mkdir(join(here.folder, 'service'))
  await writeFile(source, text)
  const exportId = await here.complete()
  await here.store(exportId)
  expect((await here.read(exportId)).state).toBe('stored')
  expect(here.fetched).toEqual([])
  const stored = await stat(join(here.folder, 'artifacts', 'sha256', sumText(text), 'bundle'))
  expect([stored.ino, stored.nlink]).toEqual([(await stat(source)).ino, 2])
})

test('exports older than bundle storage are stored only on request, and nothing is stored when storage is off', async () => {
  const off = await kit({ enabled: false })
  const exportId = await off.complete(bundle('x'))
  expect(await off.read(exportId)).toMatchObject({ state: 'not_stored', reason: 'off' })
  expect(await off.db.select().from(artifacts)).toEqual([])
  const by = { kind: 'person', id: null, name: 'Zoë', address: null, requestId: null } as const
  await expect(storeCopy(off.ctx, exportId, by)).rejects.toMatchObject({ code: 'conflict' })
  const on = await kit({ database: off.database, folder: off.folder })
  expect(await on.read(exportId)).toMatchObject({ state: 'not_stored', reason: 'not_asked' })
  await on.services.tick()
  expect(on.requested).toEqual([])
  on.bundles.set(exportId, bundle('x'))
  await storeCopy(on.ctx, exportId, by)
  await on.services.tick()
  expect(on.requested).toContain(exportId)
  await on.store(exportId)
  expect((await on.read(exportId)).state).toBe('stored')
})

test('processes with separate stores store nothing and report it; with one folder they share what they store', async () => {
  const one = await kit({ alone: false })
  const exportId = await one.completeAndStore(bundle('x'))
  const same = await kit({ alone: false, database: one.database, folder: one.folder })
  expect((await same.read(exportId)).state).toBe('stored')
  const report = () => reportStorage(one.ctx, { sort: 'newest', skip: 0, limit: 1 })
  const shared = { store: 'local', isWell: true, sentence: 'Bundles are in a folder that all Docket processes share.' }
  expect(await report()).toMatchObject(shared)
  const apart = await kit({ alone: false, database: one.database })
  await apart.services.tick()
  await one.services.tick()
  for (const { read, complete } of [one, apart]) {
    expect(await read(exportId)).toMatchObject({ state: 'not_stored', reason: 'not_shared' })
    expect(await read(await complete())).toMatchObject({ state: 'not_stored', reason: 'not_shared' })
  }
  expect(await report()).toMatchObject({ store: 'none', isWell: false })
  expect(one.lines.join('')).toContain('without a store that they share')
  await apart.services.stop()
  await one.services.tick()
  expect((await one.read(exportId)).state).toBe('stored')
})

test('progress is written while a bundle is fetched, about once a second', async () => {
  const here = await kit()
  const gate = Promise.withResolvers<void>()
  const slow = async function* () {
    for (let n = 0; n < 50; n += 1) yield Buffer.from('[')
    await gate.promise
    yield* Readable.from([Buffer.from(']')])
  }
  const exportId = await here.complete(slow)
  const storing = here.store(exportId)
  await expect
    .poll(async () => (await here.read(exportId)).progress, { interval: 20, timeout: 20_000 })
    .toMatchObject({ phase: 'fetching', done: 50, total: null })
  expect(await here.revision(exportId)).toBeLessThan(4)
  gate.resolve()
  await storing.catch(() => {})
})

test('deleting the last reference while storing the same bytes never leaves a row without its objects', async () => {
  const here = await kit()
  const text = bundle('same')
  const by = { kind: 'person', id: null, name: 'Zoë', address: null, requestId: null } as const
  let last = await here.completeAndStore(text)
  for (let round = 0; round < 4; round += 1) {
    const next = await here.complete(text)
    await here.deleteCopy(last, by)
    // As if the time for readers were over.
    await here.db.update(storedBundles).set({ releasedAt: new Date(0) })
    await Promise.all([here.sweep(), here.store(next)])
    expect((await here.read(next)).state).toBe('stored')
    expect(await here.files()).toEqual(namesIn(sumText(text)))
    last = next
  }
})

test('counts include preview findings: at once, for the same bytes, for the next export, and after the previous one is deleted', async () => {
  const here = await kit()
  const text = bundle('one', finding('aa', 'breaks'))
  const first = await here.completeAndStore(text, undefined, Date.now() - 60_000)
  const sha256 = sumText(text)
  const { record } = createViolationStore(here.db)
  const refuse = (n: number, to = sha256) =>
    record(to, { page: '/', directive: 'img-src', target: `https://cdn${n}.example/a.png` }, new Date())
  expect([await refuse(0), await refuse(0)]).toEqual([true, false])
  const before = await here.revision(first)
  await here.services.recount(sha256)
  const counts = async (exportId: string) => (await here.read(exportId)).check
  expect(await counts(first)).toMatchObject({ findings: { breaks: 1, leaks: 1 }, added: null })
  expect(await here.revision(first)).toBe(before + 1)

  const same = await here.completeAndStore(text, undefined, Date.now() - 30_000)
  expect(await counts(same)).toMatchObject({ findings: { breaks: 1, leaks: 1 }, added: { breaks: 0, leaks: 0 } })
  const next = await here.completeAndStore(bundle('two', finding('bb', 'notes')))
  await refuse(0, sumText(bundle('two', finding('bb', 'notes'))))
  await refuse(1, sumText(bundle('two', finding('bb', 'notes'))))
  await here.services.recount(sumText(bundle('two', finding('bb', 'notes'))))
  expect(await counts(next)).toMatchObject({ findings: { leaks: 2, notes: 1 }, added: { leaks: 1, notes: 1 } })

  // Many at once are few counts.
  const start = await here.revision(first)
  await Promise.all(
    Array.from({ length: 40 }, async (_, n) => {
      await refuse(n)
      await here.services.recount(sha256)
    }),
  )
  expect(await counts(first)).toMatchObject({ findings: { leaks: 40 } })
  expect((await here.revision(first)) - start).toBeLessThan(20)
  expect(await counts(next)).toMatchObject({ added: { leaks: 0, notes: 1 } })
  const by = { kind: 'person', id: null, name: 'Zoë', address: null, requestId: null } as const
  for (const exportId of [first, same]) await here.deleteCopy(exportId, by)
  expect(await counts(next)).toMatchObject({ findings: { leaks: 2, notes: 1 }, added: null })
})

test('a count reads all artifacts of a site in one query, however many there are', async () => {
  const here = await kit()
  const spies = new Map<object, MockInstance>()
  here.db.$client.on('acquire', (client) => {
    if (!spies.has(client)) spies.set(client, vi.spyOn(client, 'query'))
  })
  // From the lock of the site to the end of its transaction: beside it, the store asks for its next work.
  const locksSite = (text: string) => text.includes('for no key update')
  const countQueries = async () => {
    for (const spy of spies.values()) spy.mockClear()
    await here.services.recount(sumText(bundle('0')))
    const texts = [...spies.values()].map(({ mock }) => mock.calls.map(([query]) => query.text ?? query))
    const own = texts.find((asked) => asked.some(locksSite)) ?? []
    return own.indexOf('commit', own.findIndex(locksSite)) - own.findIndex(locksSite)
  }
  const store = (n: number) => here.completeAndStore(bundle(String(n), finding(`f${n}`, 'breaks')), undefined, n)
  await here.completeAndStore(bundle('0'), undefined, 0)
  await store(1)
  const few = await countQueries()
  for (let n = 2; n < 5; n += 1) await store(n)
  expect(await countQueries()).toBe(few)
  expect(few).toBeGreaterThan(4)
})
