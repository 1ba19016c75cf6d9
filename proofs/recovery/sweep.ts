import { createDiskStorage } from '#packages/artifact-store/src/local-disk/disk-storage.ts'
import { openSite } from '#packages/site-bundle/src/open-site.ts'
import { openDatabase } from '#apps/bff/src/ground/db/open.ts'
import { createLog } from '#apps/bff/src/ground/log/log.ts'
import { testBundles } from '#apps/bff/src/testing/test-bundles.ts'
import { testGround } from '#apps/bff/src/testing/test-ground.ts'

// Runs Docket's clean-up on the database and the store of a Docket that has stopped, after six days in which nobody looked.
const { DATABASE_URL = '', ARTIFACT_STORE_DIR = '', DATA_DIR = '' } = process.env
const log = createLog({ level: 'error', destination: process.stderr })
const { db, close } = await openDatabase({
  databaseUrl: DATABASE_URL,
  directUrl: undefined,
  dataDir: DATA_DIR,
  log,
  beforeMigration: () => Promise.resolve(),
})
const ground = testGround({ db, now: Date.now, log })
const { stop } = testBundles(ground, {
  needs: {
    settings: {
      enabled: true,
      store: { kind: 'disk', folder: ARTIFACT_STORE_DIR },
      perSite: 1,
      retentionDays: 1,
      maxBytes: 10_000_000,
    },
    storage: createDiskStorage(ARTIFACT_STORE_DIR),
    stagingFolder: DATA_DIR,
    openSite,
    analyse: () => Promise.reject(new Error('Nothing is stored here.')),
    makePortable: () => Promise.reject(new Error('Nothing is stored here.')),
    findFile: () => Promise.resolve(null),
    alone: false,
  },
  readWhole: () => Promise.reject(new Error('Nothing is fetched here.')),
})
for (let run = 0; run < 3; run += 1) {
  await ground.run('old-artifacts')
  await db.$client.query(`update stored_bundles set released_at = 'epoch' where released_at is not null`)
  if (run === 0)
    await db.$client.query(`update stored_bundles set stored_at = stored_at - interval '6 days' where state = 'found'`)
}
await stop()
await close()
