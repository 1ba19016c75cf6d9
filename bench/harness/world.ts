import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchDocket } from '#apps/bff/src/testing/launch.ts'
import { onEnd } from './cleanup.ts'
import { startDatabaseServer, type DatabaseServer } from './database.ts'
import { nginxVersion } from './nginx.ts'
import { launchHere, startScript, type BenchProcess } from './processes.ts'
import { signIn } from './sessions.ts'

/** Servers and folders that the rows share. */
export type World = {
  quick: boolean
  /** Version of the nginx of this machine; null without one. */
  nginx: string | null
  /** A folder that is removed at the end. */
  folder: string
  /** PostgreSQL, started when it is first needed. */
  databases: () => Promise<DatabaseServer>
  /** The stand-in Admin API, started when it is first needed: it counts the calls. */
  adminApi: () => Promise<BenchProcess>
  /**
   * Starts a Docket as an operator would, on a database of this bench and the stand-in, and signs in: `cookieFor` its
   * address.
   */
  docket: (databaseUrl: string, env?: Record<string, string>) => Promise<BenchProcess>
}

/** The key the stand-in takes. */
export const benchKey = 'bench_key-0123456789'

const server = join(import.meta.dirname, '..', '..', 'apps', 'bff')
const compiled = join(server, 'node_modules', '.cache', 'compiled')

/** Prepares what rows share; nothing runs before a row asks for it. */
export const openWorld = async ({ quick }: { quick: boolean }): Promise<World> => {
  const folder = mkdtempSync(join(tmpdir(), 'docket-bench-'))
  onEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }))
  let databases: Promise<DatabaseServer> | undefined
  let adminApi: Promise<BenchProcess> | undefined
  let dockets = 0
  const world: World = {
    quick,
    nginx: await nginxVersion(),
    folder,
    databases: () =>
      (databases ??= world.adminApi().then(({ address }) => startDatabaseServer(join(folder, 'postgres'), address))),
    adminApi: () => (adminApi ??= startScript(join(import.meta.dirname, '..', 'servers', 'admin-api.ts'))),
    docket: async (databaseUrl, env = {}) => {
      const variables = {
        LOG_LEVEL: 'error',
        DATA_DIR: join(folder, `docket-${(dockets += 1)}`),
        DATABASE_URL: databaseUrl,
        AUTH_SECRET: 'the-same-for-every-docket-of-the-bench',
        ADMIN_API_URL: (await world.adminApi()).address,
        ADMIN_API_KEY: benchKey,
        ADMIN_API_CALLS_PER_HOUR: '1000000',
        SHUTDOWN_DRAIN_MS: '0',
        // As `npm start` does before it reads the first file.
        NODE_COMPILE_CACHE: compiled,
        ...env,
      }
      const { pid, readOutput, addresses, adminCookie, stop } = launchDocket(variables, { run: launchHere })
      const { plainUrl: address } = await addresses
      signIn(address, await adminCookie())
      return { pid, address, readOutput, stop: () => stop().then(() => {}) }
    },
  }
  return world
}
