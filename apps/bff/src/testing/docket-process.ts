import { testSecret } from '#testing/instance.ts'
import { launchDocket } from '#testing/launch.ts'

const running = new Set<ReturnType<typeof launchDocket>>()

/** Ends the servers that a failed test left running. */
export const killDockets = () => {
  for (const { stop } of running) void stop('SIGKILL')
}

/** A server in its own process, started as an operator starts it, on a free port, with only these variables. */
export const startDocket = (variables: Record<string, string>) => {
  const docket = launchDocket({
    // On a busy machine, a slow database does not count as unavailable.
    DATABASE_WAIT_MS: '600000',
    LOG_LEVEL: 'warn',
    SHUTDOWN_DRAIN_MS: '0',
    AUTH_SECRET: testSecret,
    ...variables,
  })
  running.add(docket)
  void docket.ended.finally(() => running.delete(docket))
  const ready = docket.addresses.then(({ plainUrl }) => plainUrl)
  ready.catch(() => {})
  const { pid, adminCookie, ended, stop: kill } = docket
  return {
    pid,
    /** Address of the server, once it has printed it. */
    ready,
    adminCookie,
    /** Sends a request as the first admin, with the headers of Docket's own page and `init`. */
    fetch: async (path: string, init: RequestInit = {}) => {
      const url = await ready
      const own = { cookie: await adminCookie(), origin: url, 'x-docket': '1', 'content-type': 'application/json' }
      return fetch(url + path, { ...init, headers: { ...own, ...(init.headers as Record<string, string>) } })
    },
    /** Exit code or signal, and the whole output. */
    ended,
    kill,
  }
}
