import { setTimeout as delay } from 'node:timers/promises'
import { getRequest, keepAlive } from './keep-alive.ts'
import { readInput } from './listen.ts'

/** Description of the load. */
export type Load = {
  /** Asked one after the other by each connection. */
  urls: string[]
  headers?: Record<string, string>
  connections: number
  /** So many requests in all, or for so long. */
  requests?: number
  seconds?: number
  /** Each connection asks every so many milliseconds, and not as soon as it was answered. */
  everyMs?: number
  /** Sends the tag of the last answer along, as a page does that polls. */
  conditional?: boolean
}

/** Result of the load. Latencies in milliseconds. */
export type LoadResult = {
  requests: number
  seconds: number
  statuses: Record<string, number>
  bytes: number
  latencies: number[]
}

const {
  urls,
  headers = {},
  connections,
  requests = Infinity,
  seconds = Infinity,
  everyMs,
  conditional,
} = readInput<Load>()
const first = new URL(urls[0]!)
const startMs = performance.now()
const endsAt = startMs + seconds * 1000
const result: LoadResult = { requests: 0, seconds: 0, statuses: {}, bytes: 0, latencies: [] }
let requestCount = 0

const reader = async (place: number) => {
  const connection = await keepAlive(first.hostname, Number(first.port))
  const fixed = urls.map((url) => getRequest(new URL(url), headers))
  let tag: string | undefined
  if (everyMs !== undefined) await delay((everyMs * place) / connections)
  while (requestCount < requests && performance.now() < endsAt) {
    const turn = requestCount++ % urls.length
    const conditionalHeaders = conditional === true && tag !== undefined ? { ...headers, 'If-None-Match': tag } : null
    const at = performance.now()
    const answer = await connection.ask(
      conditionalHeaders === null ? fixed[turn]! : getRequest(new URL(urls[turn]!), conditionalHeaders),
    )
    const took = performance.now() - at
    if (result.latencies.length < 100_000) result.latencies.push(took)
    result.requests += 1
    result.bytes += answer.bytes
    result.statuses[answer.status] = (result.statuses[answer.status] ?? 0) + 1
    if (conditional === true) tag = /\r\netag: (.*)\r\n/i.exec(answer.head)?.[1] ?? tag
    if (everyMs !== undefined) await delay(Math.max(0, everyMs - took))
  }
  connection.close()
}
await Promise.all(Array.from({ length: connections }, (_, place) => reader(place)))
result.seconds = (performance.now() - startMs) / 1000
console.log(JSON.stringify(result))
