import { localAdminApi } from '#packages/local-admin-api/src/local-admin-api.ts'
import { readInput } from './listen.ts'

// A local Admin API of its own process, as Docket starts it.
const api = await localAdminApi(readInput<{ dataDir: string; sites: Record<string, string>; key: string }>())
console.log(api.url)
process.once('SIGTERM', () => void api.close().then(() => process.exit(0)))
