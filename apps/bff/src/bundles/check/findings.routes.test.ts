import { ApiErrorBody } from '@docket/api-types/api-error'
import { StorageFailed } from '@docket/artifact-store/object-storage'
import { ArtifactFiles, ArtifactPages, Finding, Findings } from '@docket/api-types/artifacts'
import { randomUUID } from 'node:crypto'
import { createFinding } from '@docket/site-bundle/check/collect-findings'
import type { Manifest } from '@docket/site-bundle/manifest'
import { SiteMissing, type StoredSite } from '@docket/site-bundle/open-site'
import { emptyDescription } from '@docket/site-bundle/pages/describe-page'
import type { Report } from '@docket/site-bundle/report'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { artifacts, previewViolations, storedBundles } from '#bundles/artifacts/artifacts.table.ts'
import { sites } from '#ground/db/sites.table.ts'
import { auditEvents } from '#ground/audit/audit.table.ts'
import { testConnectionId } from '#testing/connection.ts'
import { insertExport } from '#testing/connections.ts'
import { testApp, type TestApp } from '#testing/test-app.ts'

const stored = new Map<string, { report: Report; manifest: Manifest }>()
const [earlier, later] = [randomUUID(), randomUUID()]
const sums = { [earlier]: 'a'.repeat(64), [later]: 'b'.repeat(64) }
const failure: { error: Error | null } = { error: null }
let app: TestApp

type Cause = Parameters<typeof createFinding>

const toReport = (causes: readonly Cause[], unfinished: string | null = null): Report => ({
  version: 1,
  unfinished,
  findings: causes.map((cause) => ({
    ...createFinding(...cause),
    places: [{ page: '/guide/', path: 'guide/index.html', excerpt: '=HYPERLINK("https://evil.example")', line: 3 }],
    total: 1,
    seenBy: 'check',
  })),
})
const toPage = (address: string, title: string) => ({
  ...emptyDescription,
  address,
  title,
  path: `${address.slice(1)}index.html`,
  sizeBytes: 10,
  redirectsTo: null,
})
const manifest = (sha256: string): Manifest => ({
  version: 1,
  sha256,
  ending: '.tar.gz',
  sizeBytes: 1,
  contentBytes: 1,
  root: '',
  redirects: [],
  files: ['main.css', 'guide/index.html', 'Guide.pdf', 'chunk-10.js', 'chunk-9.js'].map((path) => ({
    path,
    sizeBytes: 10,
    sha256,
    type: 'text/html',
  })),
  pages: [toPage('/', 'Home'), toPage('/guide/', 'Guide'), toPage('/part-10/', 'Ten'), toPage('/part-9/', 'Nine')],
})

const missing: Cause = ['missing-page', '/gone/']
const font: Cause = ['outside-font', 'https://fonts.example/a.woff2', 'fonts.example']
const link: Cause = ['outside-link', 'a.example', 'a.example']
const fixed: Cause = ['missing-file', '/was-gone.png']

const reports: Record<string, Report> = { [earlier]: toReport([font, fixed]), [later]: toReport([missing, font, link]) }

beforeAll(async () => {
  const openSite = (_: unknown, sha256: string) =>
    ({
      report: () => (failure.error ? Promise.reject(failure.error) : Promise.resolve(stored.get(sha256)!.report)),
      manifest: () => Promise.resolve(stored.get(sha256)!.manifest),
    }) as StoredSite
  app = await testApp({ artifacts: { openSite } })
  const [site] = await app.db
    .insert(sites)
    .values({ connectionId: testConnectionId, domain: 'docs.example.com', createdAt: new Date() })
    .returning()
  for (const [place, exportId] of [earlier, later].entries()) {
    const sha256 = sums[exportId]!
    const at = new Date(Date.UTC(2026, 0, 1 + place))
    stored.set(sha256, { report: reports[exportId]!, manifest: manifest(sha256) })
    await insertExport(app.db, { exportId, domain: 'docs.example.com', at })
    await app.db.insert(storedBundles).values({
      sha256,
      ending: '.tar.gz',
      sizeBytes: 1,
      storedBytes: 1,
      contentBytes: 1,
      files: 2,
      pages: 2,
      storedAt: at,
    })
    await app.db.insert(artifacts).values({
      exportId,
      siteId: site!.siteId,
      state: 'stored' as const,
      sha256,
      storedAt: at,
      exportedAt: at,
      breaks: 1,
      leaks: 1,
      notes: 1,
    })
  }
  const refused = { sha256: sums[later]!, firstSeenAt: new Date(), page: '/' }
  await app.db.insert(previewViolations).values([
    { ...refused, directive: 'font-src', target: 'https://fonts.example/a.woff2?v=1' },
    { ...refused, directive: 'connect-src', target: 'https://telemetry.example/hit' },
    { ...refused, directive: 'script-src-elem', target: 'inline' },
  ])
})
afterAll(() => app.close())

const base = `/api/static-exports/${later}/artifact`
const read = async (query = '') => Findings.parse(await (await app.get(`${base}/findings${query}`)).json())
const list = ({ findings }: Findings) => findings.map(({ rule, state, seenBy }) => `${rule} ${state} ${seenBy}`)

test('findings are new or unchanged compared with the previous bundle, and previews add leaks that the check missed', async () => {
  const all = await read()
  expect(list(all)).toEqual([
    'missing-page new check',
    expect.stringMatching(/^outside-(font|call)/),
    expect.stringMatching(/^outside-(font|call)/),
    'outside-link new check',
  ])
  expect(list(all)).toContain('outside-font same check')
  expect(list(all)).toContain('outside-call new preview')
  expect(all.counts).toMatchObject({ levels: { breaks: 1, leaks: 2, notes: 1 }, states: { new: 3, same: 1, gone: 1 } })
  expect(all.check).toMatchObject({ state: 'finished', added: { breaks: 1, leaks: 1, notes: 1 } })
  expect(list(await read('?state=gone'))).toEqual(['missing-file gone check'])
})

test('filters narrow the list of findings, and each filter shows a count for each of its choices', async () => {
  const some = await read('?level=leaks&q=TELEMETRY')
  expect(list(some)).toEqual(['outside-call new preview'])
  expect(some.counts.levels).toEqual({ breaks: 0, leaks: 1, notes: 0 })
  expect((await read('?page=/guide/')).total).toBe(3)
  expect((await read('?limit=1')).next).toBe(1)
})

test('pages are listed with their findings and files with their checksums, and numbers in names sort numerically', async () => {
  const { pages } = ArtifactPages.parse(await (await app.get(`${base}/pages?q=guide`)).json())
  expect(pages).toMatchObject([{ address: '/guide/', title: 'Guide', findings: { breaks: 1, leaks: 1, notes: 1 } }])
  const all = ArtifactFiles.parse(await (await app.get(`${base}/files`)).json())
  const paths = ['chunk-9.js', 'chunk-10.js', 'Guide.pdf', 'guide/index.html', 'main.css']
  expect(all.files.map(({ path }) => path)).toEqual(paths)
  const parts = ArtifactPages.parse(await (await app.get(`${base}/pages?q=part`)).json())
  expect(parts.pages.map(({ title }) => title)).toEqual(['Nine', 'Ten'])
  const { files, total } = ArtifactFiles.parse(await (await app.get(`${base}/files?under=guide/`)).json())
  expect([files.length, total, files[0]?.sha256]).toEqual([1, 1, sums[later]])
})

test('an accepted cause is excluded from the counts of all bundles of the site until withdrawn, and both are audited', async () => {
  const { fingerprint } = createFinding(...font)
  const path = `${base}/findings/${fingerprint}/acceptance`
  const count = async () =>
    (await app.db.select().from(artifacts).orderBy(artifacts.exportedAt)).map((row) => [
      row.breaks,
      row.leaks,
      row.newLeaks,
    ])

  const accepted = Finding.parse(await (await app.post(path, { reason: 'The mirror has it.' })).json())
  expect(accepted.accepted).toMatchObject({ reason: 'The mirror has it.' })
  expect(await count()).toEqual([
    [1, 0, null],
    [1, 1, 1],
  ])
  expect((await read('?accepted=true')).findings.map((one) => one.fingerprint)).toEqual([fingerprint])
  const pages = ArtifactPages.parse(await (await app.get(`${base}/pages?q=guide`)).json())
  expect(pages.pages[0]?.findings.leaks).toBe(0)

  expect((await app.delete(path)).status).toBe(200)
  expect(await count()).toEqual([
    [1, 1, null],
    [1, 2, 1],
  ])
  // Taken back twice is taken back once.
  expect((await app.delete(path)).status).toBe(200)
  const audited = await app.db.select().from(auditEvents).where(eq(auditEvents.targetId, later))
  expect(audited.map(({ action }) => action)).toEqual(['finding.accepted', 'finding.acceptance_withdrawn'])
  expect((await app.post(`${base}/findings/${'0'.repeat(32)}/acceptance`, { reason: 'x' })).status).toBe(404)
  expect((await app.post(path, { reason: ' ' })).status).toBe(400)
})

test('the exported findings files have one line per place, and no cell that a spreadsheet would execute', async () => {
  const csv = await app.get(`${base}/findings.csv?level=breaks`)
  expect(csv.headers.get('content-disposition')).toContain('docket-findings-')
  const lines = (await csv.text()).trim().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain(`"'=HYPERLINK`)
  const json = (await (await app.get(`${base}/findings.json`)).json()) as { places: unknown[] }[]
  expect(json.map(({ places }) => places.length)).toEqual([1, 1, 1, 1])
})

test('an unfinished check never counts as clean, and reports no finding as resolved', async () => {
  const known = stored.get(sums[later]!)!
  stored.set(sums[later]!, { ...known, report: { version: 1, unfinished: 'The check was stopped.', findings: [] } })
  const { check, counts } = await read()
  expect(check).toMatchObject({ state: 'not_finished', detail: 'The check was stopped.' })
  expect(counts.states.gone).toBe(0)
  stored.set(sums[later]!, known)
})

test('a store that fails, or has lost the bundle, is reported with a readable message', async () => {
  for (const [error, status, message] of [
    [new StorageFailed('The object storage did not read the bundle: it is away.'), 503, 'it is away. Try again.'],
    [new SiteMissing('gone'), 404, 'Save it again.'],
  ] as const) {
    failure.error = error
    const response = await app.get(`${base}/findings`)
    expect(response.status).toBe(status)
    expect(ApiErrorBody.parse(await response.json()).message).toContain(message)
  }
  failure.error = null
})

test('an export without a stored bundle has no findings', async () => {
  const response = await app.get(`/api/static-exports/${randomUUID()}/artifact/findings`)
  expect(response.status).toBe(404)
})
