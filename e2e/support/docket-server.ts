import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { docketClient } from '#apps/bff/src/testing/docket-client.ts'
import { launchDocket, mainProgram } from '#apps/bff/src/testing/launch.ts'
import { listProcesses } from '#e2e/support/processes.ts'
import { strictEnvironment } from '#e2e/support/strict.ts'

/** Loaded before the server, so that prompts need neither a sandbox nor a model. */
const scriptedAgent = ['--import', join(import.meta.dirname, '../../packages/doc-agent/src/testing/scripted-agent.ts')]

/** Copies the database of the global setup to a fresh data folder, with the owner of its files. */
const copyCluster = (dataDir: string) => {
  const cluster = process.env.E2E_CLUSTER
  if (cluster !== undefined) execFileSync('cp', ['-Rp', cluster, join(dataDir, 'postgres')])
}

/**
 * Starts a Docket of its own on a data folder of its own, whose database is migrated and empty: `newcomer.spec.ts` and
 * the tests of the server have one that makes it. The port stays the same over restarts, so an open page finds
 * the server again. `env` adds to or overrides the environment; nothing of the caller's Docket settings reaches it. With
 * `NO_AGENT` there, prompts are refused, as without `AGENT_COMMAND`; with `NO_CLUSTER`, it makes its database itself.
 */
export const startDocket = async ({ NO_AGENT, NO_CLUSTER, ...env }: Readonly<Record<string, string>> = {}) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'docket-e2e-'))
  if (NO_CLUSTER === undefined) copyCluster(dataDir)
  const started: ReturnType<typeof launchDocket>[] = []
  let running: (typeof started)[number] | undefined
  const readOutput = () => started.map((docket) => docket.readOutput()).join('')
  let [url, plainUrl] = ['', '']

  const start = async (more: Readonly<Record<string, string>> = {}): Promise<void> => {
    const docket = launchDocket(
      {
        DATA_DIR: dataDir,
        // On a busy machine a slow database is not one that is away.
        DATABASE_WAIT_MS: '600000',
        // An export that a test leaves running keeps none of another test waiting.
        LOCAL_EXPORTS_AT_ONCE: '16',
        PORT: url === '' ? '0' : new URL(url).port,
        ...strictEnvironment(env),
        ...env,
        ...more,
      },
      { program: [...(NO_AGENT === undefined ? scriptedAgent : []), mainProgram] },
    )
    running = docket
    started.push(docket)
    ;({ url, plainUrl } = await docket.addresses)
  }

  const end = async (signal: NodeJS.Signals) => {
    const end = await running?.stop(signal)
    running = undefined
    return end
  }
  const stop = async (): Promise<void> => {
    if ((await end('SIGTERM'))?.signal === 'SIGKILL') throw new Error(`Docket did not stop:\n${readOutput()}`)
  }
  /** As when the machine takes the process away: nothing can be written or closed any more. */
  const kill9 = async (): Promise<void> => void (await end('SIGKILL'))

  /** Stops it, ends what a killed one left behind, and deletes the data. Throws when a clean stop left a process. */
  const dispose = async (): Promise<void> => {
    const wasRunning = running !== undefined
    const failure = await stop().then(
      () => undefined,
      (error: unknown) => error,
    )
    let left = listProcesses(dataDir)
    for (let tries = 0; left.length > 0 && tries < 600; tries += 1) {
      await sleep(100)
      left = listProcesses(dataDir)
    }
    for (const pid of left) process.kill(pid, 'SIGKILL')
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    if (failure !== undefined) throw failure
    if (wasRunning && left.length > 0)
      throw new Error(`Docket stopped and left ${left.length} processes behind:\n${readOutput()}`)
  }

  try {
    await start()
  } catch (error) {
    await dispose().catch(() => {})
    throw error
  }
  return {
    /** Address of the page, without a slash at the end. */
    get url() {
      return url
    },
    /** The same for programs, by number. */
    get plainUrl() {
      return plainUrl
    },
    dataDir,
    /** Creates the first admin, once, and answers with the cookie of that session (`name=value`). */
    adminCookie: (): Promise<string> => started[0]!.adminCookie(),
    /** Calls its API with the session of a cookie. */
    client: (session: string) => docketClient(plainUrl, session),
    /** Everything it has printed so far, over all starts. */
    readOutput,
    start,
    stop,
    kill9,
    /** Stops it when it runs, and starts it again on the same data and port, with more environment. */
    restart: async (more?: Readonly<Record<string, string>>): Promise<void> => {
      await stop()
      await start(more)
    },
    dispose,
  }
}

/** A Docket that runs for a test. */
export type Docket = Awaited<ReturnType<typeof startDocket>>
