import { testSecret } from '#testing/instance.ts'
import { launchDocket } from '#testing/launch.ts'

const running = new Set<ReturnType<typeof launchDocket>>()

/** Ends the servers that a failed test left running. */
export const killDockets = () => {
  for (const { stop } of running) void stop('SIGKILL')
}

/** A server of its own process, started as an operator starts it, on a free port, with only these variables. */
export const startDocket = (variables: Record<string, string>) => {
  const docket = launchDocket({
    // On a busy machine a slow database is not one that is away.
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
    kill,
  }
}
