import { testSecret } from '#testing/instance.ts'
import { createFirstAdmin, launch, mainProgram, readAddresses, type Launched } from '#testing/launch.ts'

/** Cookies of first admins by the database they are in: it outlives the process that made them. */
const cookies = new Map<string, Promise<string>>()

const running = new Set<Launched>()

/** Ends the servers that a failed test left running. */
export const killDockets = () => {
  for (const { stop } of running) void stop('SIGKILL')
}

/** A server of its own process, started as an operator starts it, on a free port, with only these variables. */
export const startDocket = (variables: Record<string, string>) => {
  const docket = launch(process.execPath, [mainProgram], {
    env: {
      PORT: '0',
      // On a busy machine a slow database is not one that is away.
      DATABASE_WAIT_MS: '600000',
      LOG_LEVEL: 'warn',
      SHUTDOWN_DRAIN_MS: '0',
      AUTH_SECRET: testSecret,
      ...variables,
    },
  })
  running.add(docket)
  void docket.ended.finally(() => running.delete(docket))
  const ready = readAddresses(docket).then(({ plainUrl }) => plainUrl)
  // A test that waits for the end only is not interested in this one.
  ready.catch(() => {})
  const database = variables['DATABASE_URL'] ?? variables['DATA_DIR'] ?? ''
  /** The session of the first admin, who is created when it is asked for first: `name=value`. */
  const adminCookie = () => {
    const cookie = cookies.get(database) ?? ready.then((url) => createFirstAdmin(url, docket.readOutput()))
    cookies.set(database, cookie)
    return cookie
  }
  return {
    pid: docket.pid,
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
    ended: docket.ended,
    kill: docket.stop,
  }
}
