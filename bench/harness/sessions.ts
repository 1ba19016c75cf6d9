import type { BenchProcess } from './processes.ts'

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

/** Asks a Docket from now on with this session. */
export const signIn = (address: string, cookie: string): void => void byOrigin.set(new URL(address).origin, cookie)

/** As `fetch`, signed in. */
export const ask = (url: string, init: RequestInit = {}): Promise<Response> =>
  fetch(url, { ...init, headers: { ...cookieFor(url), ...(init.headers as Record<string, string>) } })
