import { startDatabaseServer } from '#bench/harness/database.ts'
import { startDocket, temporaryFolder, type RunningDocket } from '#proofs/harness/docket.ts'
import { plantedEnvironment, type Fault } from '#proofs/harness/plant.ts'

/** Starts Dockets on one new database. They share its first admin. */
export type Replicas = {
  databaseUrl: string
  start: (env?: Record<string, string>, options?: { clockShiftMs?: number }) => Promise<RunningDocket>
  /** Of the first admin, once the first one runs. */
  cookie: () => string
}

const preload = new URL('shifted-clock.ts', import.meta.url).href

/** `serviceUrl`: their Admin API. They end with the proof. */
export const openReplicas = async (
  serviceUrl: string,
  { callsPerHour, faults = [] }: { callsPerHour: number; faults?: readonly Fault[] },
): Promise<Replicas> => {
  const server = await startDatabaseServer(temporaryFolder())
  const databaseUrl = await server.database()
  let cookie: string | undefined
  return {
    databaseUrl,
    cookie: () => cookie ?? '',
    start: async (env = {}, { clockShiftMs = 0 } = {}) => {
      const planted = plantedEnvironment(faults)
      const options = [planted['NODE_OPTIONS'], ...(clockShiftMs === 0 ? [] : [`--import=${preload}`])]
      const docket = await startDocket({
        DATABASE_URL: databaseUrl,
        ADMIN_API_URL: serviceUrl,
        ADMIN_API_KEY: 'prove_key-0123456789',
        ADMIN_API_CALLS_PER_HOUR: String(callsPerHour),
        LOG_LEVEL: 'error',
        ...planted,
        NODE_OPTIONS: options.filter((option) => option !== undefined).join(' '),
        CLOCK_SHIFT_MS: String(clockShiftMs),
        ...env,
      })
      cookie = docket.cookie
      return docket
    },
  }
}
