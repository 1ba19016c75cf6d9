import { diskStorage } from '#packages/artifact-store/src/local-disk/disk-storage.ts'
import { openSite } from '#packages/site-bundle/src/open-site.ts'
import { artifactServices } from '#apps/bff/src/process/artifact-services.ts'
import { openDatabase } from '#apps/bff/src/ground/db/open.ts'
import { eventBus } from '#apps/bff/src/ground/events.ts'
import { createLog } from '#apps/bff/src/ground/log/log.ts'
import { exportsForArtifacts } from '#apps/bff/src/records/static-exports/static-exports.artifacts.ts'

// Runs Docket's clean-up on the database and the store of a Docket that has stopped, after six days in which nobody looked.
const { DATABASE_URL = '', ARTIFACT_STORE_DIR = '', DATA_DIR = '' } = process.env
const nothing = () => Promise.resolve()
const { db, close } = await openDatabase({
  databaseUrl: DATABASE_URL,
  directUrl: undefined,
  dataDir: DATA_DIR,
  log: createLog({ level: 'error', destination: process.stderr }),
  beforeMigration: nothing,
})
const { works, stop } = artifactServices({
  settings: { enabled: true, s3: null, perSite: 1, retentionDays: 1, maxBytes: 10_000_000 },
  storage: diskStorage(ARTIFACT_STORE_DIR),
  stagingFolder: DATA_DIR,
  openSite,
  analyse: () => Promise.reject(new Error('Nothing is stored here.')),
  findFile: () => Promise.resolve(null),
  hasRoom: () => true,
  ensureInScope: nothing,
  endPreviews: nothing,
  onChanged: nothing,
  db,
  exports: exportsForArtifacts({ db, events: eventBus({ wake: () => {} }) }),
  sources: { readWhole: () => Promise.reject(new Error('Nothing is fetched here.')) },
  uploads: () => {
    throw new Error('Nobody uploads here.')
  },
  isEmbedded: () => false,
  request: nothing,
  alone: false,
  now: Date.now,
  log: createLog({ level: 'error', destination: process.stderr }),
})
for (let run = 0; run < 3; run += 1) {
  await works[0]!.run()
  await db.$client.query(`update stored_bundles set released_at = 'epoch' where released_at is not null`)
  if (run === 0)
    await db.$client.query(`update stored_bundles set stored_at = stored_at - interval '6 days' where state = 'found'`)
}
await stop()
await close()
