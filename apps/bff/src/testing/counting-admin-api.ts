import type { ServerResponse } from 'node:http'
import { standInServer } from '#testing/stand-in-server.ts'

/** A read that arrived: its path and its time (milliseconds of this process). */
type Read = { path: string; atMs: number }

/**
 * An Admin API over real HTTP that starts every requested export, reports everything as running until `finish`, and
 * records each read. `mostAtOnce` is the largest number of concurrent reads of one record.
 */
export const countingAdminApi = async () => {
  const reads: Read[] = []
  const starts: string[] = []
  const reading = new Map<string, number>()
  const waiting: (() => void)[] = []
  const finished = new Set<string>()
  const state = { maxAtOnce: 0, holding: false }

  const findState = (path: string) => {
    const ended = finished.has(path)
    const times = reads.filter((read) => read.path === path).length
    return path.startsWith('/v2/')
      ? { status: ended ? 'completed' : 'active', prLink: ended ? 'https://git.example/acme/docs/pull/1' : null }
      : { status: ended ? 'completed' : 'running', progress: ended ? 100 : Math.min(99, times), pageCount: times }
  }

  const send = (response: ServerResponse, body: object) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))

  const read = (path: string, response: ServerResponse) => {
    reads.push({ path, atMs: performance.now() })
    const atOnce = (reading.get(path) ?? 0) + 1
    reading.set(path, atOnce)
    state.maxAtOnce = Math.max(state.maxAtOnce, atOnce)
    // The response is decided now and sent later, so a delayed response is outdated.
    const body = findState(path)
    response.once('close', () => reading.set(path, (reading.get(path) ?? 1) - 1))
    if (state.holding) waiting.push(() => send(response, body))
    else send(response, body)
  }

  const server = await standInServer((request, response) => {
    const path = request.url ?? ''
    if (request.method === 'GET') return read(path, response)
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      const { domain } = JSON.parse(text) as { domain: string }
      starts.push(domain)
      send(response, { jobId: `job-of-${domain}` })
    })
    return undefined
  })

  return {
    ...server,
    reads,
    /** Domains of the starts, in order. */
    starts,
    state,
    /** Holds back responses to reads until `release`. */
    hold: () => void (state.holding = true),
    release: () => {
      state.holding = false
      for (const answer of waiting.splice(0)) answer()
    },
    /** Marks these records as ended. */
    finish: (paths: readonly string[]) => {
      for (const path of paths) finished.add(path)
    },
  }
}
