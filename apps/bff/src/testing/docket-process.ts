import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const main = join(import.meta.dirname, '..', 'main.ts')

/** A server of its own process, started as an operator starts it, on a free port, with only these variables. */
export const startDocket = (variables: Record<string, string>) => {
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      PORT: '0',
      LOG_LEVEL: 'warn',
      SHUTDOWN_DRAIN_MS: '0',
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk))
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, signal: child.signalCode, stdout, stderr }))
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const address = /^Docket is ready at (\S+)\n/.exec(stdout)?.[1]
      if (address !== undefined) resolve(address)
    })
    void ended.then(() => reject(new Error(`Docket ended before it was ready: ${stderr}`)))
  })
  // A test that waits for the end only is not interested in this one.
  ready.catch(() => {})
  return {
    pid: child.pid!,
    /** Its address, once it said so. */
    ready,
    /** Exit code or signal, and everything it wrote. */
    ended,
    kill: async (signal: NodeJS.Signals) => {
      child.kill(signal)
      return ended
    },
  }
}
