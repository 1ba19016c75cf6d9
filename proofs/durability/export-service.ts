import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { onEnd } from '#bench/harness/cleanup.ts'

/**
 * Manner in which the service answers one start. It starts the job, except for `refuse`; then the answer is sent, lost
 * or late.
 */
export type StartManner = 'answer' | 'lose' | 'fail' | 'late' | 'refuse'

/** An Admin API whose exports run for ever and whose agent jobs exist under every id. It counts. */
export type ExportService = {
  url: string
  /** How often each domain was started. */
  starts: Map<string, number>
  /** Reads by path. */
  reads: Map<string, number>
  calls: () => number
  /** Sets the manner of later starts, by domain. */
  manner: (choose: (domain: string) => StartManner) => void
  /** Cuts every connection and refuses new ones for a while. */
  crash: (forMs: number) => Promise<void>
}

const lateMs = 700
let jobCount = 0

/** Starts it on a free port; it ends with the proof. With a `bundle`, every export has completed with it at the first read. */
export const exportService = async (bundle?: Buffer): Promise<ExportService> => {
  const starts = new Map<string, number>()
  const reads = new Map<string, number>()
  let calls = 0
  let chooseManner: (domain: string) => StartManner = () => 'answer'
  const send = (response: ServerResponse, status: number, body: object) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

  const start = async (request: IncomingMessage, response: ServerResponse) => {
    const { domain } = JSON.parse(await text(request)) as { domain: string }
    const manner = chooseManner(domain)
    if (manner === 'refuse') return send(response, 402, { error: 'Your plan does not include static exports' })
    starts.set(domain, (starts.get(domain) ?? 0) + 1)
    if (manner === 'lose') return request.socket.destroy()
    if (manner === 'fail') return send(response, 500, { error: 'Something broke after the export was queued' })
    if (manner === 'late') await delay(lateMs)
    return send(response, 200, { jobId: `job-${(jobCount += 1)}` })
  }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    calls += 1
    const path = request.url ?? ''
    if (bundle !== undefined && path === '/bundle.tar.gz')
      return response.writeHead(200, { 'content-length': bundle.length, etag: '"bundle"' }).end(bundle)
    if (bundle !== undefined && path.endsWith('/bundle'))
      return send(response, 200, { bundleUrl: `http://${request.headers.host}/bundle.tar.gz` })
    if (request.method === 'POST') return start(request, response)
    reads.set(path, (reads.get(path) ?? 0) + 1)
    return send(
      response,
      200,
      path.startsWith('/v2/')
        ? { id: path.split('/').at(-1), status: 'active', source: { repository: 'https://git.example/a' }, model: 'm' }
        : bundle === undefined
          ? { status: 'running', progress: 10, pageCount: 3 }
          : { status: 'completed', progress: 100, pageCount: 1 },
    )
  }
  const make = () => createServer((request, response) => void answer(request, response).catch(() => response.destroy()))
  let server = make().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  onEnd(close)
  return {
    url: `http://127.0.0.1:${port}`,
    starts,
    reads,
    calls: () => calls,
    manner: (choose) => void (chooseManner = choose),
    crash: async (forMs) => {
      await close()
      await delay(forMs)
      server = make().listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
  }
}
