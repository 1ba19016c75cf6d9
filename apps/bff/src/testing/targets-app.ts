import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Channel, Site } from '@docket/api-types/sites'
import { Delivery, DeliveryList, Target, TargetList, type AddTarget } from '@docket/api-types/targets'
import { siteInMemory } from '@docket/site-bundle/testing/site-in-memory'
import { expect } from 'vitest'
import { sites } from '#ground/db/sites.table.ts'
import { testConnectionId } from '#testing/connection.ts'
import { insertArtifact, insertExport } from '#testing/connections.ts'
import { testApp, type TestAppOptions } from '#testing/test-app.ts'

const build = (version: number) =>
  siteInMemory(
    {
      'site/index.html': `<h1>${version}</h1>`,
      'site/style.css': '/* shared */',
      [`site/app-${version}.js`]: `${version}`,
      'outside.txt': 'Not part of the site.',
    },
    { root: 'site/', mount: version === 4 ? '/proj/' : '/' },
  )

/** SHA-256 of the bundle of a version: 1, 2, 3, or 4, which is built for `/proj/`. */
export const toSum = (version: number): string => String(version).repeat(64)

/**
 * A whole server with a site of four stored bundles, and a folder in which targets are allowed. Background work does
 * not run.
 */
export const targetsApp = async (options: TestAppOptions = {}) => {
  const folder = await mkdtemp(join(tmpdir(), 'docket-targets-'))
  const www = join(folder, 'www')
  const [repository, planted] = [join(folder, 'site.git'), join(www, 'planted', 'current', 'r.git')]
  await mkdir(www)
  const bundles = [1, 2, 3, 4].map((version) => ({ version, site: build(version), exportId: crypto.randomUUID() }))
  const reading = { wait: (): Promise<unknown> => Promise.resolve() }
  const openSite = (sha256: string) => {
    const { site } = bundles.find(({ version }) => toSum(version) === sha256)!
    return { ...site, read: async (path: string) => reading.wait().then(() => site.read(path)) }
  }
  const app = await testApp({
    machine: { folders: [www], repositories: [repository, planted], workFolder: join(folder, 'deliveries') },
    artifacts: { openSite: (_, sha256) => openSite(sha256) },
    ...options,
  })
  const [row] = await app.db
    .insert(sites)
    .values({ connectionId: testConnectionId, domain: 'docs.example.com', createdAt: new Date() })
    .returning()
  for (const { version, exportId } of bundles) {
    const [sha256, at] = [toSum(version), new Date(Date.now() - 60_000 + version)]
    await insertExport(app.db, { exportId, domain: 'docs.example.com', at })
    await insertArtifact(app.db, { exportId, siteId: row!.siteId, sha256, at, files: 4, pages: 1 })
  }
  const ofSite = `/api/sites/${row!.siteId}`
  const readSite = async () => Site.parse(await (await app.get(ofSite)).json())
  const [production] = (await readSite()).channels
  const ofChannel = `${ofSite}/channels/${production!.channelId}`
  const path = `${ofChannel}/targets`
  const readChannel = async () => (await readSite()).channels[0]!
  const list = async () => TargetList.parse(await (await app.get(path)).json())
  const listDeliveries = async (targetId: string) =>
    DeliveryList.parse(await (await app.get(`${path}/${targetId}/deliveries`)).json()).deliveries
  return {
    ...app,
    www,
    /** Paths in `TARGET_REPOSITORIES`, which tests create. `planted` is in a folder to which targets can write. */
    repositories: { repository, planted },
    path,
    /** `wait` is called before a file of a bundle is read. */
    reading,
    /** Makes the due deliveries to a target, as one process does. */
    run: (targetId: string, stopping = new AbortController().signal) =>
      app.services.background.records.get('docket-deliveries')!.run(targetId, stopping),
    site: row!,
    channelId: production!.channelId,
    /** Exports of the versions 1 to 4. */
    exportIds: bundles.map(({ exportId }) => exportId),
    list,
    listDeliveries,
    /** Adds a target in its own folder. */
    addFolder: async (name: string, more: Partial<AddTarget> = {}) => {
      await mkdir(join(www, name), { recursive: true })
      const settings = { kind: 'folder' as const, path: join(www, name), keep: 3 }
      const answer = await app.post(path, { name, settings, ...more })
      expect(answer.status).toBe(201)
      return Target.parse(await answer.json())
    },
    publish: async (version: number) => {
      const { exportId } = bundles.find((one) => one.version === version)!
      const { version: seen } = await readChannel()
      const answer = await app.post(`${ofChannel}/releases`, { version: seen, exportId, override: 'A test.' })
      expect(answer.status, await answer.clone().text()).toBe(200)
      return Channel.parse(await answer.json())
    },
    rollBack: async () => {
      const { version } = await readChannel()
      expect((await app.post(`${ofChannel}/rollback`, { version })).status).toBe(200)
    },
    request: async (targetId: string, kind: Delivery['kind']) => {
      const answer = await app.post(`${path}/${targetId}/deliveries`, { kind })
      expect(answer.status, await answer.clone().text()).toBe(201)
      return Delivery.parse(await answer.json())
    },
    close: async () => {
      await app.close()
      await rm(folder, { recursive: true })
    },
  }
}
