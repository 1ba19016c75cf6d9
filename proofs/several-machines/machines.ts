import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { testSecret } from '#apps/bff/src/testing/instance.ts'
import { startDatabaseServer } from '#bench/harness/database.ts'
import { docketProgram } from '#apps/bff/src/testing/launch.ts'
import { freePort, launchHere } from '#bench/harness/processes.ts'
import { startDocket, temporaryFolder, type RunningDocket } from '#proofs/harness/docket.ts'
import { plantedEnvironment, type Fault } from '#proofs/harness/plant.ts'

/** Exports that one worker works on at once. */
export const exportsPerWorker = 2

/** A `docket worker` of its own process. */
export type Worker = {
  /** Job ids of the exports that it worked on to their end. */
  completed: () => string[]
  wrote: () => string
  kill: (signal: NodeJS.Signals) => Promise<number | null>
}

/** A replica, with its calls of the Admin API by operation. */
export type Replica = RunningDocket & { countCalls: () => Promise<Map<string, number>> }

/** A site of a few pages, which the reserved domains export too. */
const writeSite = (): string => {
  const folder = temporaryFolder()
  for (let page = 0; page < 12; page += 1)
    writeFileSync(join(folder, `page-${page}.md`), `# Page ${page}\n\n${'Some text of this page. '.repeat(40)}\n`)
  return folder
}

const startWorker = async (env: Record<string, string>, faults: readonly Fault[]): Promise<Worker> => {
  const folder = temporaryFolder()
  const port = await freePort()
  const args = [docketProgram, 'worker', '--exports', String(exportsPerWorker), '--agents', '0']
  // It stands for another machine, so it leaves processors to the replicas.
  const away = ['taskset', '-c', String(availableParallelism() - 1), 'chrt', '--idle', '0']
  const worker = launchHere(away[0]!, [...away.slice(1), process.execPath, ...args], {
    env: {
      AUTH_SECRET: testSecret,
      DATA_DIR: join(folder, 'data'),
      LOG_LEVEL: 'info',
      METRICS_PORT: String(port),
      ...plantedEnvironment(faults),
      ...env,
    },
    cwd: folder,
  })
  await worker.wrote(/worker is ready/)
  for (const probe of ['livez', 'readyz']) {
    const { status } = await fetch(`http://127.0.0.1:${port}/${probe}`)
    if (status !== 200) throw new Error(`/${probe} of a worker was answered ${status}`)
  }
  const ends = () => worker.readOutput().matchAll(/"jobId":"([^"]+)","end":"completed"/g)
  return {
    completed: () => [...ends()].map(([, jobId]) => jobId!),
    wrote: worker.readOutput,
    kill: async (signal) => (await worker.stop(signal)).code,
  }
}

/** Starts processes on one new database and one shared folder of bundles. Each has a data folder of its own. */
export const openMachines = async (faults: readonly Fault[]) => {
  const server = await startDatabaseServer(temporaryFolder())
  const databaseUrl = await server.database()
  const shared = join(temporaryFolder(), 'artifacts')
  mkdirSync(shared)
  const env = {
    DATABASE_URL: databaseUrl,
    ARTIFACT_STORE_DIR: shared,
    LOCAL_SITES: `docs.example.test=${writeSite()}`,
    LOCAL_EXPORT_QUEUE: '200',
  }
  return {
    databaseUrl,
    /** `args`: of `docket start`. */
    startReplica: async (args: readonly string[], more: Record<string, string> = {}): Promise<Replica> => {
      const port = await freePort()
      const variables = { ...env, ...more, LOG_LEVEL: 'error', METRICS_PORT: String(port) }
      const docket = await startDocket(variables, faults, undefined, [], args)
      const countCalls = async () => {
        const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
        const lines = text.matchAll(/^docket_upstream_calls_total\{.*operation="(\w+)".*\} (\d+)/gm)
        return [...lines].reduce(
          (sums, [, operation, count]) => sums.set(operation!, (sums.get(operation!) ?? 0) + Number(count)),
          new Map<string, number>(),
        )
      }
      return { ...docket, countCalls }
    },
    startWorker: () => startWorker(env, faults),
  }
}

export type Machines = Awaited<ReturnType<typeof openMachines>>
