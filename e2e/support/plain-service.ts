import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

/**
 * Sets the later behaviour of the service; `patient` asks for a pause of a day, and `closed` means that its port refuses
 * connections.
 */
export type ServiceMood =
  | 'well'
  | 'key rejected'
  | 'web page'
  | 'too many requests'
  | 'patient'
  | 'faulty'
  | 'forgetful'
  | 'closed'

/** A finished agent job, one of any number: every tenth failed, in two repositories and by three models. */
const oneOfMany = (number: number) => ({
  id: `many-${number}`,
  status: number % 10 === 0 ? 'failed' : 'completed',
  source: {
    repository: `https://github.com/acme/${number % 2 === 0 ? 'handbook' : 'website'}`,
    ref: `branch-${number}`,
  },
  model: ['swift', 'steady', 'careful'][number % 3],
  prLink: number % 10 === 0 ? null : `https://github.com/acme/handbook/pull/${number}`,
  createdAt: new Date(Date.now() - 60_000).toISOString(),
  archivedAt: null,
})

/**
 * Somebody else's service: its own small reading of the Admin API (§4.1 to §4.4), with not one field more than the
 * contract shows. Exports stand where `stand` puts them, so a test decides when they move.
 */
export const startPlainService = async () => {
  let key = 'adm_key-of-the-other-service'
  // The first block of a tar: a name, and the mark of the format.
  const tarBlock = Buffer.alloc(512)
  tarBlock.write('index.html')
  tarBlock.write('ustar', 257)
  let archive: Buffer = gzipSync(tarBlock)
  const domains: string[] = []
  const outside: string[] = []
  let exportStatus: object = { status: 'queued' }
  let agentStatus = { status: 'active', prLink: null as string | null }
  let mood: ServiceMood = 'well'

  const json = (response: ServerResponse, status: number, body: object) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

  const start = async (request: IncomingMessage, response: ServerResponse) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const { domain } = JSON.parse(text) as { domain: string }
    domains.push(domain)
    return json(response, 200, { jobId: `job/${domains.length}` })
  }

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? ''
    if (request.headers.host?.startsWith('elsewhere.') === true) {
      outside.push(path)
      return response.writeHead(204).end()
    }
    if (path.startsWith('/files/')) return response.writeHead(200, { 'content-length': archive.length }).end(archive)
    if (mood === 'web page')
      return response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><h1>Please sign in</h1>')
    if (mood === 'faulty') return json(response, 500, { error: 'Out of disk' })
    if (mood === 'too many requests' || mood === 'patient') {
      response.setHeader('retry-after', mood === 'patient' ? '86400' : '5')
      return json(response, 429, { error: 'Too many requests' })
    }
    if (mood === 'forgetful') return json(response, 404, { error: 'Not found' })
    if (mood === 'key rejected' || request.headers.authorization !== `Bearer ${key}`)
      return json(response, 401, { error: 'Invalid API key' })
    if (request.method === 'POST' && path === '/admin/v1/static-export/jobs') return start(request, response)
    const [, job, bundle] = /^\/admin\/v1\/static-export\/jobs\/(job%2F\d+)(\/bundle)?$/.exec(path) ?? []
    if (job !== undefined && bundle === undefined) return json(response, 200, exportStatus)
    if (job !== undefined) return json(response, 200, { bundleUrl: `${origin}/files/bundle.tar.gz?signature=s3cret` })
    if (path === '/admin/v2/agent/acme/job/run-1')
      return json(response, 200, {
        id: 'run-1',
        source: { repository: 'https://github.com/acme/docs', ref: 'main' },
        model: 'plain-model',
        createdAt: new Date(Date.now() - 60_000).toISOString(),
        archivedAt: null,
        ...agentStatus,
      })
    const many = /^\/admin\/v2\/agent\/acme\/job\/many-(\d+)$/.exec(path)?.[1]
    if (many !== undefined) return json(response, 200, oneOfMany(Number(many)))
    return json(response, 404, { error: 'Not found' })
  }

  let server: Server
  const listen = (port: number) =>
    new Promise<void>((resolve) => {
      server = createServer((request, response) => void answer(request, response)).listen(port, '127.0.0.1', resolve)
    })
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  await listen(0)
  const { port } = server!.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`

  return {
    /** Base URL with a path, as behind a gateway. */
    url: `${origin}/admin`,
    /** The one key that it accepts. */
    get key() {
      return key
    },
    /** Accepts `next` alone from now on, as after a rotation. */
    changeKey: (next: string) => (key = next),
    /** The bundle of every export. */
    get archive() {
      return archive
    },
    /** Gives the later exports another bundle. */
    pack: (bundle: Buffer) => (archive = bundle),
    /** Base URL of another host, which the pages of a bundle can ask. */
    outsideUrl: `http://elsewhere.localhost:${port}/`,
    /** Paths that somebody asked of that host. */
    outside,
    /** Domains whose export was really asked for. */
    domains,
    /** Sets the later answer for every export. */
    stand: (status: object) => (exportStatus = status),
    finishAgentJob: (prLink: string) => (agentStatus = { status: 'completed', prLink }),
    be: async (next: ServiceMood): Promise<void> => {
      if (mood === 'closed' && next !== 'closed') await listen(port)
      if (next === 'closed' && mood !== 'closed') await close()
      mood = next
    },
    close: async () => (mood === 'closed' ? undefined : close()),
  }
}

/** The running service of another party. */
export type PlainService = Awaited<ReturnType<typeof startPlainService>>

/** A service of the test's own, as a fixture of Playwright. */
// oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from this pattern.
export const plainService = async ({}, use: (service: PlainService) => Promise<void>): Promise<void> => {
  const service = await startPlainService()
  await use(service)
  await service.close()
}
