import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { diskStorage } from '#packages/artifact-store/src/local-disk/disk-storage.ts'
import { artifactServices } from '#apps/bff/src/process/artifact-services.ts'
import { background } from '#apps/bff/src/ground/background/background.ts'
import { openDatabase } from '#apps/bff/src/ground/db/open.ts'
import { eventBus } from '#apps/bff/src/ground/events.ts'
import { createLog } from '#apps/bff/src/ground/log/log.ts'
import { exportsForArtifacts } from '#apps/bff/src/records/static-exports/static-exports.artifacts.ts'

// Stores bundles like a replica of Docket, without its pages: `node storing-worker.ts alone|replica`. With `alone`, without pg-boss's pauses.
const { DATABASE_URL = '', FOLDER = '', STORE = '', SOURCE = '' } = process.env
const alone = process.argv[2] === 'alone'
const log = createLog({ level: 'error', destination: process.stderr })
const { db } = await openDatabase({
  databaseUrl: DATABASE_URL,
  directUrl: undefined,
  dataDir: FOLDER,
  log,
  beforeMigration: () => Promise.resolve(),
})
let run: (key: string) => Promise<unknown> = () => Promise.resolve()

const services = artifactServices({
  settings: { enabled: true, s3: null, perSite: 20, retentionDays: 365, maxBytes: 10_000_000 },
  storage: diskStorage(STORE),
  stagingFolder: join(FOLDER, 'artifact-staging'),
  openSite: () => ({ report: () => Promise.resolve({ version: 1, unfinished: null, findings: [] }) }) as never,
  analyse: async ({ file, folder }) => {
    const bytes = await readFile(file)
    for (const name of ['site.zip', 'manifest.json.gz', 'report.json.gz']) {
      await writeFile(join(folder, name), bytes)
      await delay(10)
    }
    const facts = { ending: '.zip', contentBytes: bytes.length, files: 1, pages: 1, checkUnfinished: null }
    return { outcome: 'read', ...facts, findings: [] }
  },
  hasRoom: () => true,
  countChanges: () => Promise.resolve({ added: 0, removed: 0, changed: 0, moved: 0 }),
  findFile: () => Promise.resolve(null),
  ensureInScope: () => Promise.resolve(),
  endPreviews: () => Promise.resolve(),
  onChanged: () => Promise.resolve(),
  db,
  exports: exportsForArtifacts({ db, events: eventBus({ wake: () => {} }) }),
  sources: {
    readWhole: async (exportId, signal, use) => {
      const response = await fetch(`${SOURCE}/${exportId}`, { signal })
      return use({ bytes: response.body as never, sizeBytes: Number(response.headers.get('content-length')) })
    },
  },
  uploads: () => {
    throw new Error('Nobody uploads here.')
  },
  isEmbedded: () => false,
  request: (_, key) => run(key).then(() => {}),
  alone,
  now: Date.now,
  log,
})

if (alone) run = (key) => services.records[0]!.run(key, new AbortController().signal).catch(() => {})
else {
  const work = background({
    runSql: (text, values) => db.$client.query(text, values),
    log,
    pollSeconds: 0.5,
  })
  services.records.forEach(work.addRecords)
  work.start()
  run = (key) => work.requestRecord(services.records[0]!.name, key)
}
for (;;) {
  await services.tick()
  if (process.argv[3] === 'sweep') await services.works[1]!.run()
  await delay(100)
}
