import { setTimeout as delay } from 'node:timers/promises'
import { median, quantile } from '#bench/harness/statistics.ts'
import type { Replica } from './machines.ts'

const everyMs = 60
const paths = ['/api/static-exports', '/api/status'] as const

const tomorrow = (n: number) => new Date(Date.now() + 86_400_000 + n).toISOString()

/** Response times of one path. Milliseconds. */
export type Times = Record<(typeof paths)[number], { median: number; p95: number; count: number }>

/**
 * Asks the replicas in turn for the list of exports and for the status, one request after the other, and measures each from outside, to its
 * last byte. Each list has an address of its own: one that nothing changes at rest would come from a cache. `end` stops it.
 */
export const measure = (replicas: readonly Replica[]) => {
  const times: Record<string, number[]> = {}
  let isOver = false
  const asking = (async () => {
    for (let n = 0; !isOver; n += 1) {
      const [path, replica] = [paths[n % 2]!, replicas[Math.floor(n / 2) % replicas.length]!]
      const startMs = performance.now()
      const response = await replica.client.get(path === '/api/static-exports' ? `${path}?to=${tomorrow(n)}` : path)
      await response.arrayBuffer()
      if (response.status !== 200) throw new Error(`${path} was answered ${response.status}`)
      ;(times[path] ??= []).push(performance.now() - startMs)
      await delay(everyMs)
    }
  })()
  asking.catch(() => {})
  return {
    end: async (): Promise<Times> => {
      isOver = true
      await asking
      const toTimes = (all: readonly number[]) => ({ median: median(all), p95: quantile(all, 0.95), count: all.length })
      return Object.fromEntries(paths.map((path) => [path, toTimes(times[path] ?? [])])) as Times
    },
  }
}

/** Each time that is more than `factor` of the one at rest. */
export const findSlower = (work: Times, rest: Times, factor: number): string[] =>
  paths.flatMap((path) =>
    (['median', 'p95'] as const)
      .filter((which) => work[path][which] > rest[path][which] * factor)
      .map(
        (which) =>
          `${path} took ${work[path][which].toFixed(1)} ms (${which}), at rest ${rest[path][which].toFixed(1)} ms`,
      ),
  )

/** Times for the report: median and 95 % of each path. */
export const describeTimes = (times: Times): string =>
  paths.map((path) => `${path} ${times[path].median.toFixed(1)}/${times[path].p95.toFixed(1)} ms`).join(', ')
