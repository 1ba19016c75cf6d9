import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { createDiskStorage } from '@docket/artifact-store/local-disk/disk-storage'
import type { ObjectStorage } from '@docket/artifact-store/object-storage'
import { SiteMissing, type StoredSite } from '@docket/site-bundle/open-site'
import { makeUploadPortable } from '@docket/site-exporter/make-upload-portable'
import type { BundleNeeds } from '#bundles/bundles.ts'
import { deleteCopy } from '#bundles/retention/retention.ts'
import type { Actor } from '#ground/identity/identity.ts'
import { createLog } from '#ground/log/log.ts'
import { staticExports } from '#records/static-exports/static-exports.table.ts'
import { isExport } from '#records/static-exports/static-exports.rows.ts'
import { testConnectionId } from '#testing/connection.ts'
import { testBundles } from '#testing/test-bundles.ts'
import { testDatabase } from '#testing/database.ts'
import { testGround } from '#testing/test-ground.ts'
import type { BundleService } from '#bundles/download/bundles.service.ts'
import type { Analysis } from '#bundles/bundles-ctx.ts'

/** Result of analysing a bundle, read from the bundle's text. */
type Told = Extract<Analysis, { outcome: 'read' }>['findings']

/** An analysis that reads the bundle as a JSON list of findings, so that tests need no archive. */
const analyse: BundleNeeds['analyse'] = async ({ file, folder }) => {
  const bytes = await readFile(file)
  const text = bytes.toString()
  if (text.startsWith('bomb'))
    return { outcome: 'refused', reason: 'too_large', sentence: 'The content of the archive is larger than 8 GB.' }
  if (!text.startsWith('['))
    return { outcome: 'refused', reason: 'not_an_archive', sentence: 'These bytes are no archive. Export again.' }
  for (const name of ['site.zip', 'manifest.json.gz', 'report.json.gz']) await writeFile(join(folder, name), bytes)
  const findings = JSON.parse(text.slice(0, text.indexOf(']') + 1)) as Told
  const facts = { ending: '.tar.gz', contentBytes: bytes.length * 2, files: 2, pages: 1, checkUnfinished: null }
  return { outcome: 'read', ...facts, findings }
}

const openSite = (storage: ObjectStorage, sha256: string): StoredSite => {
  const read = async (name: string) => {
    const content = await storage.read(`sha256/${sha256}/${name}`)
    if (content === null) throw new SiteMissing('The stored bundle is gone from the storage.')
    return text(content)
  }
  const site = {
    report: async () => {
      const report = await read('report.json.gz')
      return { version: 1, unfinished: null, findings: JSON.parse(report.slice(0, report.indexOf(']') + 1)) as Told }
    },
    manifest: async () => {
      const sizeBytes = (await read('manifest.json.gz')).length
      const page = { address: '/', redirectsTo: null }
      return {
        sha256,
        ending: '.tar.gz',
        sizeBytes,
        contentBytes: sizeBytes * 2,
        files: [{}, {}],
        pages: [page],
      }
    },
    find: async () => {
      await read('site.zip')
      return null
    },
  }
  return site as unknown as StoredSite
}

/** Stored bundles in `folder`, for a whole Docket. */
export const testArtifacts = (folder: string, maxBytes = 1_000_000): BundleNeeds => ({
  settings: {
    enabled: true,
    store: { kind: 'disk', folder: join(folder, 'artifacts') },
    perSite: 20,
    retentionDays: 365,
    maxBytes,
  },
  storage: createDiskStorage(join(folder, 'artifacts')),
  stagingFolder: join(folder, 'artifact-staging'),
  openSite,
  analyse,
  makePortable: makeUploadPortable,
  countChanges: () => Promise.resolve({ added: 1, removed: 2, changed: 3, moved: 4 }),
  findFile: () => Promise.resolve(null),
})

/**
 * Stored bundles with their own database and folder, without HTTP. `bundles` contains the service's bundles by export.
 */
export const artifactKit = async (
  options: Partial<
    Pick<BundleNeeds, 'analyse' | 'makePortable' | 'countChanges' | 'findFile' | 'takePicture' | 'uploadAnswerMs'>
  > & {
    perSite?: number
    retentionDays?: number
    maxBytes?: number
    enabled?: boolean
    alone?: boolean
    hasRoom?: () => boolean
    /** Changes the store. */
    wrap?: (storage: ObjectStorage) => ObjectStorage
    now?: () => number
    database?: Awaited<ReturnType<typeof testDatabase>>
    folder?: string
  } = {},
) => {
  const { now = Date.now, wrap = (storage) => storage } = options
  const database = options.database ?? (await testDatabase())
  const { db } = database
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'docket-artifacts-')))
  const storage = createDiskStorage(join(folder, 'artifacts'))
  const bundles = new Map<string, string | Error | (() => AsyncIterable<Uint8Array>)>()
  const fetched: string[] = []
  const lines: string[] = []
  const log = createLog({ level: 'debug', destination: { write: (line) => void lines.push(line) } })
  const ground = testGround({ db, now, log })
  const { deliver } = ground
  const needs = {
    settings: {
      store: { kind: 'disk' as const, folder: join(folder, 'artifacts') },
      enabled: options.enabled ?? true,
      perSite: options.perSite ?? 20,
      retentionDays: options.retentionDays ?? 365,
      maxBytes: options.maxBytes ?? 1_000_000,
    },
    storage: wrap(storage),
    stagingFolder: join(folder, 'artifact-staging'),
    ...(options.uploadAnswerMs !== undefined && { uploadAnswerMs: options.uploadAnswerMs }),
    ...(options.takePicture !== undefined && { takePicture: options.takePicture }),
    openSite,
    analyse: options.analyse ?? analyse,
    makePortable: options.makePortable ?? makeUploadPortable,
    countChanges: options.countChanges ?? (() => Promise.resolve({ added: 1, removed: 2, changed: 3, moved: 4 })),
    findFile: options.findFile ?? (() => Promise.resolve(null)),
    alone: options.alone ?? true,
  }
  const readWhole: BundleService['readWhole'] = (exportId, _, use) => {
    fetched.push(exportId)
    const bundle = bundles.get(exportId)
    if (bundle instanceof Error || bundle === undefined) return Promise.reject(bundle ?? new Error('no bundle'))
    if (typeof bundle === 'function') return use({ bytes: bundle(), sizeBytes: null })
    const bytes = Buffer.from(bundle)
    const halves = [bytes.subarray(0, 10), bytes.subarray(10)]
    return use({ bytes: Readable.from(halves.filter(({ length }) => length > 0)), sizeBytes: bytes.length })
  }
  const isEmbedded = options.findFile !== undefined
  const { store, ctx, artifacts, upload, stop } = testBundles(ground, {
    needs,
    readWhole,
    isEmbedded,
    ...(options.hasRoom && { hasRoom: options.hasRoom }),
  })
  /** Like `run`, and also runs the work that follows. */
  const andDeliver =
    <Args extends unknown[], Result>(run: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      try {
        return await run(...args)
      } finally {
        await deliver()
      }
    }
  const services = { ...artifacts, upload: andDeliver(upload), stop, tick: ground.tick }

  /** Lists a completed export, as the watcher does. */
  const complete = async (
    bundle?: string | Error | (() => AsyncIterable<Uint8Array>),
    domain = 'docs.example.com',
    at = now(),
  ) => {
    const exportId = randomUUID()
    const startedAt = new Date(at)
    await db.transaction(async (tx) => {
      await tx.insert(staticExports).values({
        exportId,
        domain,
        startedAt,
        finishedAt: startedAt,
        connectionId: testConnectionId,
        state: 'completed',
        jobId: exportId,
      })
      await ground.events.emit(tx, 'export.completed', { exportId })
    })
    if (bundle !== undefined) bundles.set(exportId, bundle)
    return exportId
  }
  const storeOne = andDeliver((exportId: string, signal?: AbortSignal) =>
    ground.runRecord('docket-bundles', exportId, signal),
  )
  const read = async (exportId: string) => (await store.readByExport([exportId])).get(exportId)!
  return {
    db,
    database,
    folder,
    storage,
    ctx,
    services,
    bundles,
    fetched,
    requested: ground.requested,
    lines,
    ground,
    complete,
    store: storeOne,
    deleteCopy: andDeliver((exportId: string, by: Actor) => deleteCopy(ctx, exportId, by)),
    read,
    completeAndStore: async (bundle: string, domain?: string, at?: number) => {
      const exportId = await complete(bundle, domain, at)
      await storeOne(exportId)
      return exportId
    },
    sweep: andDeliver(() => ground.run('unused-bundles')),
    /** Checks the store, as every start does. */
    adopt: andDeliver(() => ground.runRecord('docket-adoption', 'store')),
    cleanUp: andDeliver(() => ground.run('old-artifacts')),
    files: async () => {
      const names = await readdir(folder, { recursive: true })
      const found = await Promise.all(
        names.map(async (name) => ((await stat(join(folder, name))).isFile() ? name : [])),
      )
      return found
        .flat()
        .filter((name) => !name.endsWith('.docket-storage'))
        .toSorted()
    },
    history: async (exportId: string) => {
      const { rows } = await db.$client.query<{
        kind: string
        to: string | null
        by: string | null
      }>(`select kind, "to_value" as "to", "by" from history_events where record_key = $1 order by event_id`, [
        exportId,
      ])
      return rows
    },
    revision: async (exportId: string) =>
      (await db.select({ revision: staticExports.revision }).from(staticExports).where(isExport(exportId)))[0]!
        .revision,
    close: async () => {
      if (options.database === undefined) await database.drop()
      if (options.folder === undefined)
        await rm(folder, {
          recursive: true,
          force: true,
        })
    },
  }
}

/** SHA-256 of a bundle of a test. */
export const sumText = (text: string): string => createHash('sha256').update(text).digest('hex')
