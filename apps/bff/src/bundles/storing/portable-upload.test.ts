import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { ApiErrorBody } from '@docket/api-types/api-error'
import { Findings } from '@docket/api-types/artifacts'
import { Channel, SiteList } from '@docket/api-types/sites'
import { StartedStaticExport } from '@docket/api-types/static-exports'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { analyseBundle } from '@docket/site-bundle/analyse-bundle'
import { openSite } from '@docket/site-bundle/open-site'
import { packFiles } from '@docket/site-bundle/testing/analyse-files'
import { packEntries, packZip, tarFile, tarLink } from '@docket/site-bundle/testing/hostile-archives'
import { siteInMemory } from '@docket/site-bundle/testing/site-in-memory'
import { sql } from 'drizzle-orm'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import type { MakePortable } from '#bundles/bundles-ctx.ts'
import { everything } from '#ground/http/access/token-scope.ts'
import { docketActor } from '#ground/identity/identity.ts'
import { artifactKit, sumText, testArtifacts } from '#testing/artifact-kit.ts'
import { previewApp } from '#testing/preview-app.ts'

const asked: string[] = []
const otherHost = createServer((request, response) => {
  asked.push(request.url!)
  response.end('x')
})
await new Promise<void>((resolve) => otherHost.listen(0, '127.0.0.1', resolve))
const elsewhere = `http://127.0.0.1:${(otherHost.address() as AddressInfo).port}`

const folder = await mkdtemp(join(tmpdir(), 'docket-portable-upload-'))
const { countChanges: _, ...known } = testArtifacts(folder, 1_000_000)
const app = await previewApp(siteInMemory({}), { artifacts: { ...known, analyse: analyseBundle, openSite } })
afterAll(async () => {
  await app.close()
  otherHost.close()
  await rm(folder, { recursive: true, force: true })
})

const frame = (body: string) =>
  `<!doctype html><html lang="en"><head><title>Page</title><link rel="stylesheet" href="/docs/style.css"><script src="${elsewhere}/track.js"></script></head><body>${body}</body></html>`
const built = {
  'index.html': frame(`<h1>Start</h1><a href="/docs/guide/">Guide</a><img alt="" src="${elsewhere}/logo.png">`),
  'guide/index.html': frame('<h1>Guide</h1><a href="https://docs.example.com/docs/">Start</a>'),
  'style.css': `@import url(${elsewhere}/font.css); h1 { color: red }`,
}
const pack = async (files: Readonly<Record<string, string>>) => readFile(await packFiles(files))
const upload = (bytes: Buffer, query = '') =>
  fetch(`${app.url}/api/static-exports/upload?domain=docs.example.com${query}`, {
    method: 'POST',
    body: new Uint8Array(bytes),
    headers: { 'content-type': 'application/octet-stream', 'x-docket': '1', origin: app.url, cookie: app.cookie! },
  })
const accept = async (response: Response) => {
  expect(response.status, await response.clone().text()).toBe(201)
  return StartedStaticExport.parse(await response.json()).export
}
const staged = () => readdir(join(folder, 'artifact-staging'), { recursive: true })

const page = tarFile('page.html', frame('<h1>Page</h1>'))

test('an uploaded site that is made portable is checked and hosted without its host, names what was cut, and asks no other host', async () => {
  const bytes = await pack(built)
  const plain = await accept(await upload(bytes))
  const made = await accept(await upload(bytes, '&portable=true'))
  const again = await accept(await upload(bytes, '&portable=true&version=2'))
  expect(plain.artifact).toMatchObject({ madePortable: false, check: { findings: { leaks: 3 } } })
  expect(made.artifact).toMatchObject({ madePortable: true, check: { findings: { breaks: 0, leaks: 0 } } })
  // Two different bundles; the same archive makes the same one each time.
  expect(made.artifact!.sha256).not.toBe(plain.artifact!.sha256)
  expect(again.artifact).toMatchObject({ sha256: made.artifact!.sha256, change: { changed: 0 } })
  const { findings } = Findings.parse(
    await (await app.get(`/api/static-exports/${made.exportId}/artifact/findings?rule=report-left-out`)).json(),
  )
  const sentences = findings.map(({ sentence }) => sentence).join('\n')
  for (const what of ['scripts', 'pictures', 'style sheets'])
    expect(sentences).toMatch(new RegExp(`× ${what} from 127`))
  expect(asked).toEqual([])

  const { sites } = SiteList.parse(await (await app.get('/api/sites')).json())
  const { siteId, channels } = sites[0]!
  const { channelId } = channels.find(({ name }) => name === 'production')!
  await app.db.execute(sql`update channels set access = 'public' where channel_id = ${channelId}`)
  const body = { version: channels.find(({ name }) => name === 'production')!.version, exportId: made.exportId }
  const published = await app.post(`/api/sites/${siteId}/channels/${channelId}/releases`, { ...body, override: 'Try.' })
  expect(published.status, await published.clone().text()).toBe(200)
  Channel.parse(await published.json())
  const page = await app.send(`docs-example-com.localhost:${app.port}`, '/guide/')
  expect(page.status).toBe(200)
  expect(page.body).toContain('href="../style.css"')
  expect(page.body).toContain('<a href="../index.html">Start</a>')
  expect(page.body).not.toContain(elsewhere)
})

test('an archive whose names a folder can’t have is made portable without these files', async () => {
  const names = ['n'.repeat(300), 'folder', 'folder/below']
  const { artifact } = await accept(
    await upload(await packEntries(page, ...names.map((name) => tarFile('x', 'x', { path: name }))), '&portable=true'),
  )
  expect(artifact).toMatchObject({ state: 'stored', madePortable: true })
})

test('an archive without pages, or with none that can be unpacked, is refused with what to do, and leaves nothing behind', async () => {
  const before = (await app.db.execute(sql`select from static_exports`)).rowCount
  for (const [bytes, words] of [
    [
      await pack({ 'README.md': '# Not built' }),
      'The archive has no page. Upload the folder that your generator builds',
    ],
    [Buffer.from('no archive'), 'plain text'],
    [await packEntries(page, tarLink('passwords', '/etc/passwd')), 'is a symbolic link that leads out of the archive'],
    [packZip([{ path: 'index.html' }, { path: '../../evil.html' }]), 'leads out of the archive'],
    [gzipSync(gzipSync(await packEntries(page))), 'compressed a second time'],
    [(await packEntries(page)).subarray(0, 700), 'ends too early'],
    [
      zstdCompressSync(await packEntries(page, tarFile('zeros', '\0'.repeat(20_000_000)))),
      'more than 200 times as large as the archive',
    ],
  ] as const) {
    const response = await upload(bytes, '&portable=true')
    expect(response.status).toBe(400)
    expect(ApiErrorBody.parse(await response.json()).message).toContain(words)
  }
  expect((await app.db.execute(sql`select from static_exports`)).rowCount).toBe(before)
  expect((await staged()).filter((name) => name.includes('/'))).toEqual([])
})

/** Stands for a portable bundle whose content the test knows. */
const makePortable: MakePortable = async ({ file, folder: work, domain }) => {
  const made = join(work, 'portable.tar.gz')
  await writeFile(made, `[] ${domain} of ${await readFile(file, 'utf8')}`)
  return { outcome: 'made', file: made }
}
const uploadTo = async (
  { services }: Awaited<ReturnType<typeof artifactKit>>,
  signal = new AbortController().signal,
): Promise<string> => {
  const by = { by: docketActor, readScope: async () => everything, signal }
  const bytes = { bytes: Readable.from([Buffer.from('archive')]), sizeBytes: null }
  return (await services.upload({ domain: 'docs.example.com', portable: true }, bytes, by)).exportId
}

test('an upload that was not yet portable when its process ended is made portable by the next one, as the same export', async () => {
  const begun = Promise.withResolvers<void>()
  const hanging: MakePortable = (_options, { onProgress }, signal) =>
    new Promise((_resolve, reject) => {
      onProgress(1, 2)
      begun.resolve()
      signal.addEventListener('abort', () => reject(signal.reason as Error))
    })
  const first = await artifactKit({ makePortable: hanging, uploadAnswerMs: 0 })
  onTestFinished(first.close)
  const exportId = await uploadTo(first)
  await begun.promise
  await expect
    .poll(() => first.read(exportId))
    .toMatchObject({ state: 'storing', madePortable: true, progress: { phase: 'fetching', done: 1, total: 2 } })
  await first.services.stop()
  const second = await artifactKit({ database: first.database, folder: first.folder, makePortable })
  await second.services.tick()
  expect(second.requested).toEqual([exportId])
  await second.store(exportId)
  expect(await second.read(exportId)).toMatchObject({
    state: 'stored',
    madePortable: true,
    sha256: sumText('[] docs.example.com of archive'),
  })
})

test('making an upload portable stops when the sender leaves and when the disk fills, and nothing is listed', async () => {
  let hasRoom = true
  const leaving = new AbortController()
  const stopped: string[] = []
  const here = await artifactKit({
    hasRoom: () => hasRoom,
    makePortable: (_options, { onProgress }, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          stopped.push('stopped')
          reject(signal.reason as Error)
        })
        if (stopped.length === 0) return leaving.abort(new Error('The sender left.'))
        hasRoom = false
        onProgress(1, 2)
      }),
  })
  onTestFinished(here.close)
  await expect(uploadTo(here, leaving.signal)).rejects.toThrow('The sender left.')
  await expect(uploadTo(here)).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('disk') })
  expect(stopped).toEqual(['stopped', 'stopped'])
  expect((await here.db.execute(sql`select from static_exports`)).rowCount).toBe(0)
  expect(await here.files()).toEqual([])
})
