import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onEnd } from '#bench/harness/cleanup.ts'
import { docketClient, type DocketClient } from '#apps/bff/src/testing/docket-client.ts'
import { testSecret } from '#apps/bff/src/testing/instance.ts'
import { docketProgram, launchDocket, mainProgram } from '#apps/bff/src/testing/launch.ts'
import { launchHere } from '#bench/harness/processes.ts'
import { plantedEnvironment, type Fault } from './plant.ts'

/** A whole Docket of its own process, as an operator starts it. */
export type RunningDocket = {
  pid: number
  client: DocketClient
  /** Cookie of its client's session. */
  cookie: string
  /** Everything it wrote to standard output and standard error so far. */
  wrote: () => string
  /** Ends it and waits until it is gone; answers with its exit code, null after a signal. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>
}

/** Folder for bundles of all Dockets on one database. */
const stores = new Map<string, string>()
const findStore = (databaseUrl: string): string => {
  const known = stores.get(databaseUrl) ?? temporaryFolder()
  stores.set(databaseUrl, known)
  return known
}

const makeFolder = (place: string): string => {
  mkdirSync(place, { recursive: true })
  const folder = mkdtempSync(join(place, 'docket-prove-'))
  onEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }))
  return folder
}

/** A folder in the temporary one that is removed at the end. */
export const temporaryFolder = (): string => makeFolder(tmpdir())

/** A folder for what Docket stores, removed at the end: on the mount of DATA_DIR where `deploy-mounts` plays the proof. */
export const dataFolder = (): string => makeFolder(process.env['PROOF_DATA_DIR'] ?? tmpdir())

/** A folder for programs of an operator, removed at the end: outside of a temporary folder that may forbid to execute files. */
export const programFolder = (): string => makeFolder(process.env['PROOF_PROGRAM_DIR'] ?? tmpdir())

/**
 * Starts one on a free port, with an embedded database in a folder of its own unless `env` says otherwise, at the most
 * talkative level, with `faults` in its sources, `nodeOptions` of Node itself, and `args` of `docket start`. Its client is the first admin of
 * its database, or whoever's cookie `known` is. It ends with the proof. Throws with what it
 * wrote when it does not get ready.
 */
export const startDocket = async (
  env: Record<string, string>,
  faults: readonly Fault[] = [],
  known?: string,
  nodeOptions: readonly string[] = [],
  args: readonly string[] = [],
): Promise<RunningDocket> => {
  const program = args.length === 0 ? [mainProgram] : [docketProgram, 'start', ...args]
  const docket = launchDocket(
    {
      DATA_DIR: join(dataFolder(), 'data'),
      // Every Docket on one database needs the same, whatever its folder.
      ...(env['DATABASE_URL'] !== undefined && {
        AUTH_SECRET: testSecret,
        ...(env['ARTIFACT_S3_BUCKET'] === undefined && { ARTIFACT_STORE_DIR: findStore(env['DATABASE_URL']) }),
      }),
      LOG_LEVEL: 'trace',
      SHUTDOWN_DRAIN_MS: '0',
      ...plantedEnvironment(faults),
      ...env,
    },
    // A core dump would appear in that folder.
    { program: [...nodeOptions, ...program], cwd: temporaryFolder(), run: launchHere },
  )
  const { plainUrl } = await docket.addresses
  const cookie = known ?? (await docket.adminCookie())
  const stop = async (signal?: NodeJS.Signals) => (await docket.stop(signal)).code
  return { pid: docket.pid, client: docketClient(plainUrl, cookie), cookie, wrote: docket.readOutput, stop }
}
