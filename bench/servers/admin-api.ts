import type { IncomingMessage, ServerResponse } from 'node:http'
import { listen } from './listen.ts'

// An Admin API (§4.1 to §4.4) that answers at once and counts the reads. Agent jobs named `active-…` stay active,
// others are completed; every export is completed. `POST /bench` sets where the bundle link of each export points and
// begins to count anew; `GET /bench` tells the counts.
let [agentJobs, exports, since] = [0, 0, performance.now()]
let bundles: Record<string, string> = {}

const json = (response: ServerResponse, body: object, status = 200) => {
  const text = JSON.stringify(body)
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    .end(text)
}

const readText = async (request: IncomingMessage) => {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

const bench = async (request: IncomingMessage, response: ServerResponse) => {
  json(response, { agentJobs, exports, seconds: (performance.now() - since) / 1000 })
  if (request.method !== 'POST') return
  const body = JSON.parse((await readText(request)) || '{}') as { bundles?: Record<string, string> }
  bundles = body.bundles ?? bundles
  ;[agentJobs, exports, since] = [0, 0, performance.now()]
}

listen((request, response) => {
  const path = request.url ?? ''
  if (path === '/bench') return void bench(request, response)
  const [, agentJob] = /^\/v2\/agent\/[^/]+\/job\/([^/]+)$/.exec(path) ?? []
  if (agentJob !== undefined) {
    agentJobs += 1
    const active = agentJob.startsWith('active-')
    return json(response, {
      id: agentJob,
      status: active ? 'active' : 'completed',
      source: { repository: 'https://github.com/acme/docs', ref: 'main' },
      model: 'bench',
      prLink: active ? null : 'https://github.com/acme/docs/pull/1',
      createdAt: '2026-01-01T00:00:00.000Z',
      archivedAt: null,
    })
  }
  const [, bundleId] = /\/jobs\/([^/]+)\/bundle$/.exec(path) ?? []
  if (bundleId !== undefined) return json(response, { bundleUrl: bundles[bundleId] })
  exports += 1
  return json(response, { jobId: path.split('/').at(-1), status: 'completed', progress: 100, pageCount: 10 })
})
