import { join } from 'node:path'
import type { Load, LoadResult } from '#bench/servers/load.ts'
import { runScript, type BenchProcess } from './processes.ts'
import { docketClient } from '#apps/bff/src/testing/docket-client.ts'
import { ask, cookieFor } from './sessions.ts'
import { cpuSeconds } from './usage.ts'

const server = (name: string) => join(import.meta.dirname, '..', 'servers', name)

/** Puts a load on a server from a process of its own. */
export const load = (options: Load): Promise<LoadResult> =>
  runScript(server('load.ts'), { ...options, headers: { ...cookieFor(options.urls[0] ?? ''), ...options.headers } })

/** Reads a file from a process of its own. */
export const readFiles = (options: {
  url: string
  readers: number
  bytesPerSecond?: number
  seconds?: number
}): Promise<{ bytes: number; seconds: number; statuses: number[] }> =>
  runScript(server('read-files.ts'), { ...options, headers: cookieFor(options.url) })

/** CPU seconds that `work` cost the named processes, children included. */
export const withCpu = async <T>(
  pids: readonly number[],
  work: () => Promise<T>,
): Promise<{ result: T; cpu: number[] }> => {
  const before = pids.map((pid) => cpuSeconds(pid, { tree: true }))
  const result = await work()
  return { result, cpu: pids.map((pid, place) => cpuSeconds(pid, { tree: true }) - before[place]!) }
}

/** Changes something as Docket's own page does. Throws with the answer when it is refused. */
export const change = ({ address }: BenchProcess, path: string, body: object): Promise<unknown> =>
  docketClient(address, cookieFor(address)['cookie']).ask('POST', path, body)

/** The JSON at a path. */
export const read = async <T>(address: string, path: string): Promise<T> =>
  (await ask(address + path)).json() as Promise<T>

/** Throws unless every answer had one of these statuses: a fast error must not look like a fast server. */
export const expectStatuses = ({ statuses }: LoadResult, ...expected: number[]): void => {
  const others = Object.entries(statuses).filter(([status]) => !expected.includes(Number(status)))
  if (others.length > 0) throw new Error(`unexpected answers: ${JSON.stringify(Object.fromEntries(others))}`)
}
