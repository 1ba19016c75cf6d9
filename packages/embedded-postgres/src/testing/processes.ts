import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { startEmbeddedPostgres, type EmbeddedConnection, type EmbeddedPostgresOptions } from '#embedded-postgres.ts'
import { stopSurvivors } from '#survivors.ts'

/** A data directory of this test. Whatever runs on it when the test ends is ended, and the directory removed. */
export const freshDataDir = async (): Promise<string> => {
  const dataDir = await realpath(await mkdtemp(join(tmpdir(), 'docket-pg-test-')))
  onTestFinished(async () => {
    await stopSurvivors(join(dataDir, 'postgres'))
    await rm(dataDir, { recursive: true, force: true })
  })
  return dataDir
}

let made: Promise<string> | undefined

const makeCluster = async (): Promise<string> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'docket-pg-test-'))
  const { stop } = await startEmbeddedPostgres({ dataDir })
  await stop()
  return join(dataDir, 'postgres')
}

/** Removes the cluster of `usedDataDir`. */
export const removeCluster = async (): Promise<void> => {
  const cluster = await made
  made = undefined
  if (cluster !== undefined) await rm(dirname(cluster), { recursive: true })
}

/** As `freshDataDir`, but a server ran and stopped there: its cluster is a copy, which takes a tenth of the computing. */
export const usedDataDir = async (): Promise<string> => {
  const dataDir = await freshDataDir()
  execFileSync('cp', ['-Rp', await (made ??= makeCluster()), dataDir])
  return dataDir
}

/** Starts the embedded server in this process and stops it when the test ends. */
export const start = async (options: EmbeddedPostgresOptions) => {
  const started = await startEmbeddedPostgres({ lockWaitMs: 0, ...options })
  onTestFinished(started.stop)
  return started
}

/** One line of a holder's output. */
export type HolderMessage = {
  connection?: EmbeddedConnection
  refused?: string
  inserted?: number
  interrupted?: boolean
}

/** Starts `holder.ts` in a process group of its own, and kills it when the test ends. */
export const startHolder = (dataDir: string, mode?: 'orphan' | 'write') => {
  const args = [join(import.meta.dirname, 'holder.ts'), dataDir, ...(mode === undefined ? [] : [mode])]
  const child = spawn(process.execPath, args, { detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exited
  }
  onTestFinished(kill)
  return {
    pid: child.pid!,
    kill,
    readMessage: async (): Promise<HolderMessage> => {
      const { value, done } = await lines.next()
      return done === true ? {} : (JSON.parse(value) as HolderMessage)
    },
  }
}
