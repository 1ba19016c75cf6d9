import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A service that offers the four operations of the Admin API (§4) and not one field more than the contract shows: what
 * works against it does not lean on optional extras. Every read of an export moves it on by one step.
 */
export const honestAdminApi = async () => {
  const key = 'adm_honest-stand-in-key'
  const exportsById = new Map<string, number>()
  const agentJob = {
    id: 'job-1',
    status: 'active',
    source: { repository: 'https://git.example.com/acme/docs', ref: null },
    model: 'example-model',
    prLink: null,
    createdAt: '2026-01-02T03:04:05Z',
    archivedAt: null,
  }
  const steps = [{ status: 'queued' }, { status: 'running', progress: 50, pageCount: 3 }, { status: 'completed' }]

  const answer = (request: IncomingMessage, origin: string): [number, unknown] => {
    if (request.headers.authorization !== `Bearer ${key}`) return [401, { error: 'Invalid API key' }]
    const path = request.url ?? ''
    if (request.method === 'POST' && path === '/v1/static-export/jobs') {
      const jobId = `export-${exportsById.size + 1}`
      exportsById.set(jobId, 0)
      return [200, { jobId }]
    }
    if (path === '/v2/agent/project-1/job/job-1') return [200, agentJob]
    const [, id = '', bundle] = /^\/v1\/static-export\/jobs\/([^/]+)(\/bundle)?$/.exec(path) ?? []
    const step = exportsById.get(id)
    if (step === undefined) return [404, { error: 'Job not found' }]
    if (bundle === undefined) {
      exportsById.set(id, Math.min(step + 1, steps.length - 1))
      return [200, steps[step]]
    }
    return step === steps.length - 1
      ? [200, { bundleUrl: `${origin}/store/bundle.tar.gz?signature=abc` }]
      : [409, { error: 'Job is not completed' }]
  }

  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const origin = `http://${request.headers.host ?? ''}`
    if (request.url?.startsWith('/store/') === true) return response.end('archive')
    const [status, body] = answer(request, origin)
    return response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key,
    close: () =>
      new Promise<void>((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}
