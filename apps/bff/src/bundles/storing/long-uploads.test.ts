import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { ApiErrorBody } from '@docket/api-types/api-error'
import { History } from '@docket/api-types/history'
import { StartedStaticExport, StaticExport } from '@docket/api-types/static-exports'
import { StorageFailed } from '@docket/artifact-store/object-storage'
import { sql } from 'drizzle-orm'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { isArtifact } from '#bundles/artifacts/artifacts.rows.ts'
import { artifacts } from '#bundles/artifacts/artifacts.table.ts'
import { everything } from '#ground/http/access/token-scope.ts'
import { docketActor } from '#ground/identity/identity.ts'
import { artifactKit, sumText, testArtifacts } from '#testing/artifact-kit.ts'
import { signedIn } from '#testing/people.ts'
import { testApp } from '#testing/test-app.ts'

const folder = await mkdtemp(join(tmpdir(), 'docket-long-upload-'))
const known = testArtifacts(folder, 100_000)
/** Checks of these bundles wait for the test. */
const slow = new Map<string, { begun: () => void; go: Promise<void> }>()
const analyse: typeof known.analyse = async (options, watch, signal) => {
  const wait = slow.get(await readFile(options.file, 'utf8'))
  if (wait !== undefined) {
    watch.onProgress('checking', 3, 10)
    wait.begun()
    await wait.go
  }
  return known.analyse(options, watch, signal)
}
/** Makes the check of a bundle wait until `go` is called. */
const slowDown = (text: string) => {
  const begun = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  slow.set(text, { begun: begun.resolve, go: go.promise })
  return { begun: begun.promise, go: go.resolve }
}

const app = await testApp({ artifacts: { ...known, analyse, uploadAnswerMs: 0 } })
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

const path = (domain: string, requestId?: string) =>
  `/api/static-exports/upload?domain=${domain}${requestId === undefined ? '' : `&requestId=${requestId}`}`
const octets = { 'content-type': 'application/octet-stream' }
const read = async (exportId: string) =>
  StaticExport.parse(await (await app.get(`/api/static-exports/${exportId}`)).json())
const readArtifact = async (exportId: string) => (await read(exportId)).artifact
const startLong = async (text: string, domain = 'docs.example.com') => {
  const check = slowDown(text)
  const response = await app.post(path(domain), text, octets)
  const { exportId } = StartedStaticExport.parse(await response.clone().json()).export
  return { response, exportId, ...check }
}

test('an upload with a slow check gets a response at once, as an export that is being stored, and is stored later', async () => {
  const text = '[] long'
  const { response, exportId, begun, go } = await startLong(text)
  expect(response.status).toBe(202)
  const { export: made } = StartedStaticExport.parse(await response.json())
  expect(made).toMatchObject({ state: 'completed', jobId: null, artifact: { state: 'storing', sha256: null } })
  await begun
  await expect
    .poll(() => readArtifact(exportId), { timeout: 20_000 })
    .toMatchObject({ state: 'storing', progress: { phase: 'checking', done: 3, total: 10 } })
  go()
  await expect
    .poll(() => readArtifact(exportId), { timeout: 20_000 })
    .toMatchObject({ state: 'stored', sha256: sumText(text), progress: null })
  const { events } = History.parse(await (await app.get(`/api/static-exports/${exportId}/history`)).json())
  expect(events.map(({ kind }) => kind)).toEqual(['uploaded', 'bundle_stored'])
})

test('an upload that is refused after its response shows the reason, and its bytes are removed', async () => {
  const { response, exportId, go } = await startLong('no archive at all')
  expect(response.status).toBe(202)
  go()
  await expect
    .poll(() => readArtifact(exportId), { timeout: 20_000 })
    .toMatchObject({ state: 'not_stored', reason: 'not_an_archive', detail: expect.stringContaining('no archive') })
  await app.services.background.works.get('unused-bundles')!.run()
  expect(await readdir(join(folder, 'artifact-staging', 'uploads'))).toEqual([])
})

test('a replica of the previous version, which sees an upload as an export without a job, does not end it', async () => {
  const { exportId, begun, go } = await startLong('[] beside an earlier version')
  await begun
  await app.db.update(artifacts).set({ state: 'not_stored', reason: 'no_bundle' }).where(isArtifact(exportId))
  go()
  await expect.poll(() => readArtifact(exportId), { timeout: 20_000 }).toMatchObject({ state: 'stored', reason: null })
})

test('a repeated request returns the same upload, whether sent concurrently or later', async () => {
  const requestId = randomUUID()
  const send = () => app.post(path('twice.example.com', requestId), '[] twice', octets)
  const answers = [...(await Promise.all([send(), send()])), await send()]
  const exportIds = await Promise.all(
    answers.map(async (answer) => StartedStaticExport.parse(await answer.json()).export.exportId),
  )
  expect(new Set(exportIds).size).toBe(1)
  const found = await app.db.execute(sql`select from static_exports where domain = 'twice.example.com'`)
  expect(found.rowCount).toBe(1)
  const other = await app.post(path('other.example.com', requestId), '[] twice', octets)
  expect([other.status, ApiErrorBody.parse(await other.json()).field]).toEqual([400, 'requestId'])
})

test('slow uploads use only the slots of the person who sends them', async () => {
  const headers = { ...octets, 'content-length': '5000', 'x-docket': '1', origin: app.url, cookie: app.cookie! }
  const slowly = () =>
    new Promise<() => void>((resolve) => {
      const sending = request(app.url + path('slow.example.com'), { method: 'POST', headers })
      sending.on('error', () => {})
      sending.write('[] half', () => resolve(() => sending.destroy()))
    })
  const staged = async () =>
    (await readdir(join(folder, 'artifact-staging'), { recursive: true })).filter((name) => name.endsWith('/bundle'))
  const ends = [await slowly(), await slowly()]
  await expect.poll(async () => (await staged()).length, { timeout: 20_000 }).toBe(2)
  const third = await app.post(path('slow.example.com'), '[] third', octets)
  expect([third.status, third.headers.get('retry-after')]).toEqual([503, '15'])
  const { cookie } = await signedIn(app.db, 'operator')
  const other = await app.post(path('other.example.com'), '[] other', { ...octets, cookie })
  expect([other.ok, await other.text()]).toEqual([true, expect.any(String)])
  for (const end of ends) end()
  await expect.poll(staged, { timeout: 20_000 }).toEqual([])
})

const uploadTo = async ({ services }: Awaited<ReturnType<typeof artifactKit>>, text: string) => {
  const bytes = Readable.from([Buffer.from(text)])
  const by = { by: docketActor, readScope: async () => everything, signal: new AbortController().signal }
  return (await services.upload({ domain: 'docs.example.com' }, { bytes, sizeBytes: null }, by)).exportId
}

test.each([
  ['is taken up by the next process', false, { state: 'stored', reason: null }],
  [
    'ends with a reason if its file is gone',
    true,
    { state: 'not_stored', detail: expect.stringContaining('Upload it again') },
  ],
])('an upload that was not stored before its process ended %s', async (_, isGone, end) => {
  const files = await mkdtemp(join(tmpdir(), 'docket-outlived-'))
  const hanging: typeof analyse = (_options, _watch, signal) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
  const first = await artifactKit({ analyse: hanging, folder: files, uploadAnswerMs: 0 })
  onTestFinished(async () => {
    await first.close()
    await rm(files, { recursive: true, force: true })
  })
  const exportId = await uploadTo(first, '[] outlived')
  await first.store(exportId)
  expect(await first.read(exportId)).toMatchObject({ state: 'storing' })
  await first.services.stop()
  if (isGone) await rm(join(files, 'artifact-staging'), { recursive: true })
  const second = await artifactKit({ database: first.database, folder: files })
  await second.services.tick()
  expect(second.requested).toEqual([exportId])
  await second.store(exportId)
  expect(await second.read(exportId)).toMatchObject(end)
})

test('an upload is left to the machine that received it until that machine can no longer be storing it', async () => {
  const first = await artifactKit({ alone: false, analyse: () => new Promise(() => {}), uploadAnswerMs: 0 })
  onTestFinished(first.close)
  const exportId = await uploadTo(first, '[] elsewhere')
  let later = 0
  const other = await artifactKit({
    alone: false,
    database: first.database,
    wrap: () => first.storage,
    now: () => Date.now() + later,
  })
  for (let pass = 0; pass < 10; pass += 1) await other.store(exportId)
  expect(await other.read(exportId)).toMatchObject({ state: 'storing' })
  later = 31 * 60_000
  await other.store(exportId)
  expect(await other.read(exportId)).toMatchObject({ state: 'not_stored', detail: expect.stringContaining('again') })
})

test('an upload is retried from its file when the store fails after the response', async () => {
  let isDown = true
  const listed = Promise.withResolvers<void>()
  const here = await artifactKit({
    uploadAnswerMs: 0,
    analyse: async (...analysed) => {
      await listed.promise
      return known.analyse(...analysed)
    },
    wrap: (storage) => ({
      ...storage,
      put: (...put) => (isDown ? Promise.reject(new StorageFailed('The store is away.')) : storage.put(...put)),
    }),
  })
  onTestFinished(here.close)
  const exportId = await uploadTo(here, '[] again')
  listed.resolve()
  await expect.poll(() => here.read(exportId)).toMatchObject({ detail: 'The store is away. Docket tries again.' })
  isDown = false
  await here.store(exportId)
  expect(await here.read(exportId)).toMatchObject({ state: 'stored', detail: null })
})

test('an upload that is being written when Docket stops is listed, and the next process continues it', async () => {
  const here: Awaited<ReturnType<typeof artifactKit>> = await artifactKit({
    wrap: (storage) => ({
      ...storage,
      put: async (key, ...rest) => {
        await storage.put(key, ...rest)
        if (!key.endsWith('/bundle')) return
        await here.services.stop()
        throw new StorageFailed('The process was killed here.')
      },
    }),
  })
  onTestFinished(here.close)
  const exportId = await uploadTo(here, '[] stopped')
  expect(await here.read(exportId)).toMatchObject({ state: 'storing', detail: null })
  const second = await artifactKit({ database: here.database, folder: here.folder })
  await second.services.tick()
  await second.store(exportId)
  expect(await second.read(exportId)).toMatchObject({ state: 'stored', sha256: sumText('[] stopped') })
})
