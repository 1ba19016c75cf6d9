import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { testSecret } from '#testing/instance.ts'

const main = join(import.meta.dirname, '..', 'main.ts')

/** Cookies of first admins by the database they are in: it outlives the process that made them. */
const cookies = new Map<string, Promise<string>>()

const running = new Set<ChildProcess>()

/** Ends the servers that a failed test left running. */
export const killDockets = () => {
  for (const child of running) child.kill('SIGKILL')
}

/** A server of its own process, started as an operator starts it, on a free port, with only these variables. */
export const startDocket = (variables: Record<string, string>) => {
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      PORT: '0',
      // On a busy machine a slow database is not one that is away.
      DATABASE_WAIT_MS: '600000',
      LOG_LEVEL: 'warn',
      SHUTDOWN_DRAIN_MS: '0',
      AUTH_SECRET: testSecret,
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  child.once('close', () => running.delete(child))
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk))
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, signal: child.signalCode, stdout, stderr }))
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      // Only browsers resolve names under localhost.
      const address = / (http:\/\/(?!docket-)\S+)\n/.exec(stdout)?.[1]
      if (address !== undefined) resolve(address)
    })
    void ended.then(() => reject(new Error(`Docket ended before it was ready: ${stderr}`)))
  })
  const database = variables['DATABASE_URL'] ?? variables['DATA_DIR'] ?? ''
  const createFirstAdmin = async (): Promise<string> => {
    const url = await ready
    const token = /\/setup#(\S+)/.exec(stdout)?.[1]
    const response = await fetch(`${url}/api/setup`, {
      method: 'POST',
      headers: { origin: url, 'sec-fetch-site': 'same-origin', 'x-docket': '1', 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    })
    const found = response.headers.getSetCookie()[0]?.split(';', 1)[0]
    if (found === undefined) throw new Error(`No first account: ${response.status} ${await response.text()}\n${stdout}`)
    return found
  }
  /** The session of the first admin, who is created when it is asked for first: `name=value`. */
  const adminCookie = () => {
    const cookie = cookies.get(database) ?? createFirstAdmin()
    cookies.set(database, cookie)
    return cookie
  }
  // A test that waits for the end only is not interested in this one.
  ready.catch(() => {})
  return {
    pid: child.pid!,
    /** Its address, once it said so. */
    ready,
    adminCookie,
    /** Asks as the first admin: what Docket's own page sends, and `init` beside it. */
    fetch: async (path: string, init: RequestInit = {}) => {
      const url = await ready
      const own = { cookie: await adminCookie(), origin: url, 'x-docket': '1', 'content-type': 'application/json' }
      return fetch(url + path, { ...init, headers: { ...own, ...(init.headers as Record<string, string>) } })
    },
    /** Exit code or signal, and everything it wrote. */
    ended,
    kill: async (signal: NodeJS.Signals) => {
      child.kill(signal)
      return ended
    },
  }
}
