import { localAdminApi } from '#packages/local-admin-api/src/local-admin-api.ts'
import { scratchDatabase } from '#packages/local-admin-api/src/testing/scratch-database.ts'
import { readInput } from './listen.ts'

// A local Admin API of its own process, as Docket starts it.
const { database, stop } = await scratchDatabase()
const input = readInput<{ dataDir: string; sites: Record<string, string>; key: string }>()
const api = await localAdminApi({ ...input, database })
console.log(api.url)
process.once(
  'SIGTERM',
  () =>
    void api
      .close()
      .then(stop)
      .then(() => process.exit(0)),
)
