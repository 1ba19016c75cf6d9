import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createDiskStorage } from '#packages/artifact-store/src/local-disk/disk-storage.ts'
import { createBackground } from '#apps/bff/src/ground/background/background.ts'
import type { BundleNeeds } from '#apps/bff/src/bundles/bundles.ts'
import { openDatabase } from '#apps/bff/src/ground/db/open.ts'
import { createLog } from '#apps/bff/src/ground/log/log.ts'
import { testBundles } from '#apps/bff/src/testing/test-bundles.ts'
import { testGround } from '#apps/bff/src/testing/test-ground.ts'

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
const ground = testGround({ db, now: Date.now, log })
const needs: BundleNeeds & { alone: boolean } = {
  settings: {
    enabled: true,
    store: { kind: 'disk', folder: STORE },
    perSite: 20,
    retentionDays: 365,
    maxBytes: 10_000_000,
  },
  storage: createDiskStorage(STORE),
  stagingFolder: join(FOLDER, 'artifact-staging'),
  openSite: () => ({ report: () => Promise.resolve({ version: 1, unfinished: null, findings: [] }) }) as never,
  makePortable: () => Promise.reject(new Error('Nothing is uploaded here.')),
  analyse: async ({ file, folder }) => {
    const bytes = await readFile(file)
    for (const name of ['site.zip', 'manifest.json.gz', 'report.json.gz']) {
      await writeFile(join(folder, name), bytes)
      await delay(10)
    }
    const facts = { ending: '.zip', contentBytes: bytes.length, files: 1, pages: 1, checkUnfinished: null }
    return { outcome: 'read', ...facts, findings: [] }
  },
  countChanges: () => Promise.resolve({ added: 0, removed: 0, changed: 0, moved: 0 }),
  findFile: () => Promise.resolve(null),
  alone,
}
const work = createBackground({ runSql: (text, values) => db.$client.query(text, values), log, pollSeconds: 0.5 })
testBundles(alone ? ground : { ...ground, work }, {
  needs,
  readWhole: async (exportId, signal, use) => {
    const response = await fetch(`${SOURCE}/${exportId}`, { signal })
    return use({ bytes: response.body as never, sizeBytes: Number(response.headers.get('content-length')) })
  },
})
if (!alone) work.start()

const sweep = alone ? () => ground.run('unused-bundles') : work.works.get('unused-bundles')!.run
for (;;) {
  await ground.tick()
  for (const exportId of ground.requested.splice(0)) await ground.runRecord('docket-bundles', exportId).catch(() => {})
  if (process.argv[3] === 'sweep') await sweep()
  await delay(100)
}
