import { createFirstAdmin } from '#apps/bff/src/testing/launch.ts'
import type { BenchProcess } from './processes.ts'

const byDatabase = new Map<string, Promise<string>>()
const byOrigin = new Map<string, string>()

/** The cookie with which a server of this bench is asked, as headers: none for servers that know no people. */
export const cookieFor = (url: string): Record<string, string> => {
  const cookie = byOrigin.get(new URL(url).origin)
  return cookie === undefined ? {} : { cookie }
}

/** Asks a server in front of a Docket as one asks that Docket. */
export const asBehind = (front: string, docket: string): void => {
  const cookie = byOrigin.get(new URL(docket).origin)
  if (cookie !== undefined) byOrigin.set(new URL(front).origin, cookie)
}

/** Address that a browser uses for a Docket on this machine: its own name under localhost, with the same session. */
export const browserAddress = (docket: BenchProcess): string => {
  const own = /^Docket is ready at (\S+)$/m.exec(docket.readOutput())?.[1]?.replace(/\/$/, '') ?? docket.address
  asBehind(own, docket.address)
  return own
}

/**
 * Signs in to a Docket that was just started: as its first admin, who is created when nobody has done so on its
 * `database` yet.
 */
export const signIn = async (address: string, { database, output }: { database: string; output: string }) => {
  const cookie = byDatabase.get(database) ?? createFirstAdmin(address, output)
  byDatabase.set(database, cookie)
  byOrigin.set(new URL(address).origin, await cookie)
}

/** As `fetch`, signed in. */
export const ask = (url: string, init: RequestInit = {}): Promise<Response> =>
  fetch(url, { ...init, headers: { ...cookieFor(url), ...(init.headers as Record<string, string>) } })
