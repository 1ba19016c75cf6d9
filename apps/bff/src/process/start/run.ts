import { setTimeout as delay } from 'node:timers/promises'
import { describeFailure } from '#ground/log/failure.ts'
import { loadLeanly } from '#process/start/load-leanly.ts'
import { makeProcessPrivate } from '#process/start/private-process.ts'
import { stopOnSignal, type Stopping, type StopSignal } from '#process/start/shutdown.ts'

/** Time after the grace period, to close the database. Milliseconds. */
const closeMs = 10_000

/** Starts a service. Returns the lines that say so. `running` stops what was started, in reverse order, also after a failure. */
export type StartService = (
  env: NodeJS.ProcessEnv,
  running: AsyncDisposableStack,
  stopping: Stopping,
) => Promise<string[]>

/** Runs a service in this process until a signal stops it. `load` gets its parts once the process is private. */
export const run = async (env: NodeJS.ProcessEnv, load: () => Promise<StartService>): Promise<void> => {
  const stopping: Stopping = { draining: false, drainMs: 0, graceMs: 10_000 }
  const running = new AsyncDisposableStack()
  // A program that reads only the first line may close the pipe.
  process.stdout.on('error', () => {})
  process.stderr.on('error', () => {})
  // By default, Node would open a debugger for this signal, and a debugger reveals every secret.
  process.on('SIGUSR1', () => {})
  const stop = async (signal: StopSignal) => {
    stopping.draining = true
    if (signal === 'SIGTERM' && !running.disposed) await delay(stopping.drainMs)
    await running.disposeAsync()
  }
  stopOnSignal(stop, () => stopping.drainMs + stopping.graceMs + closeMs)
  try {
    makeProcessPrivate()
    loadLeanly()
    const start = await load()
    const lines = await start(env, running, stopping)
    process.stdout.write(`${lines.join('\n')}\n`)
  } catch (error) {
    if (running.disposed) await new Promise(() => {})
    process.stderr.write(`Docket could not start. ${describeFailure(error)}\n`)
    await running.disposeAsync().catch(() => {})
    process.exit(1)
  }
}
