import { createHash } from 'node:crypto'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { createServer as createSecureServer } from 'node:tls'
import { packSite } from '#bench/harness/hosted-site.ts'
import { onEnd } from '#bench/harness/cleanup.ts'
import { listenHere } from '#bench/harness/processes.ts'
import { startProviderStandIn } from '#apps/bff/src/people/accounts/oidc/testing/provider-stand-in.ts'
import { proxiedCertificate, startConnectProxy } from '#packages/outbound/src/testing/connect-proxy.ts'
import { bareRepository, gitOverHttp } from '#packages/sources/src/testing/git-server.ts'
import { temporaryFolder } from '#proofs/harness/docket.ts'

/** Address of one of the servers outside. */
export const outsideUrl = (name: string) => `https://${name}.proxied.example`

const json = (response: ServerResponse, value: unknown) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))

const page = (words: string) =>
  `<!doctype html><html lang="en"><title>${words}</title><main><h1>${words}</h1><p>${'It is behind the proxy. '.repeat(20)}</p></main>`

/** A service with one bundle, which its storage has, and one agent job with a pull request. */
const serviceApi: RequestListener = ({ method, url = '' }, response) => {
  if (url.endsWith('/bundle')) return json(response, { bundleUrl: `${outsideUrl('storage')}/bundle.tar.gz?sig=1` })
  if (method === 'POST') return json(response, { jobId: 'export-1' })
  if (url.startsWith('/v1/')) return json(response, { status: 'completed', progress: 100, pageCount: 1 })
  return json(response, {
    id: url.split('/').at(-1),
    status: 'completed',
    source: { repository: `${outsideUrl('git')}/acme/handbook`, ref: null },
    model: 'example-model',
    prLink: `${outsideUrl('git')}/acme/handbook/pulls/7`,
    createdAt: '2026-01-02T03:04:05Z',
    archivedAt: null,
  })
}

/** The API of a Gitea with one pull request. */
const codeHostApi: RequestListener = ({ url = '' }, response) => {
  if (url.includes('/status'))
    return json(response, { state: 'success', statuses: [{ context: 'ci' }], total_count: 1 })
  if (!url.includes('/pulls/7')) return json(response, [])
  const [head, base] = [{ label: 'docs/fix', sha: '7'.repeat(40), repo_id: 3 }, { repo_id: 3 }]
  const state = { state: 'open', merged: false, mergeable: true, draft: false }
  const html_url = `${outsideUrl('git')}/acme/handbook/pulls/7`
  return json(response, { id: 1007, number: 7, title: 'Fix a link', html_url, head, base, ...state })
}

/** A store of objects that keeps what is put. */
const objectStore = (objects: Map<string, Buffer>): RequestListener => {
  const answer: RequestListener = async (request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', outsideUrl('s3'))
    const found = objects.get(pathname)
    if (request.method === 'PUT') {
      if (found !== undefined && request.headers['if-none-match'] === '*') return response.writeHead(412).end()
      objects.set(pathname, await buffer(request))
      return response.end()
    }
    if (request.method === 'DELETE') objects.delete(pathname)
    if (request.method === 'DELETE') return response.writeHead(204).end()
    if (/[?&](list-type|uploads)/.test(search)) return response.end('<ListBucketResult></ListBucketResult>')
    if (found === undefined) return response.writeHead(404).end()
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
    const part = from === undefined ? found : found.subarray(Number(from), to ? Number(to) + 1 : undefined)
    const headers = { 'content-length': part.length, etag: '"object"' }
    if (from === undefined) response.writeHead(200, headers)
    else
      response.writeHead(206, {
        ...headers,
        'content-range': `bytes ${from}-${Number(from) + part.length - 1}/${found.length}`,
      })
    return response.end(request.method === 'HEAD' ? '' : part)
  }
  return (request, response) => void Promise.resolve(answer(request, response)).catch(() => response.destroy())
}

/** Everything that Docket needs outside, each behind https at a name that only the proxy knows. */
export const openOutside = async () => {
  const proxy = await startConnectProxy()
  onEnd(proxy.close)
  const lead = async (name: string, to: number) => {
    const server = createSecureServer(proxiedCertificate, (client) => {
      const far = connect(to, '127.0.0.1')
      client.pipe(far).pipe(client)
      client.on('error', () => far.destroy()).on('close', () => far.destroy())
      far.on('error', () => client.destroy()).on('close', () => client.destroy())
    })
    proxy.lead(`${name}.proxied.example:443`, await listenHere(server))
  }
  const serve = async (name: string, listener: RequestListener) => lead(name, await listenHere(createServer(listener)))

  const provider = await startProviderStandIn(outsideUrl('login'))
  onEnd(provider.close)
  await lead('login', provider.port)
  const bundle = await packSite({ 'index.html': page('The bundle of the service') })
  const objects = new Map<string, Buffer>()
  const repositories = temporaryFolder()
  await bareRepository(join(repositories, 'acme', 'handbook.git'), { 'index.md': '# Handbook\n\nA cloned page.\n' })
  const git = gitOverHttp(repositories, { password: '', before: () => Promise.resolve() })
  await serve('api', serviceApi)
  await serve('storage', (_, response) => response.writeHead(200, { etag: '"bundle"' }).end(bundle))
  await serve('git', (request, response) => void (git(request, response) || codeHostApi(request, response)))
  await serve('s3', objectStore(objects))
  await serve('site', (request, response) => {
    if (request.url !== '/') return response.writeHead(404).end()
    return response.setHeader('content-type', 'text/html').end(page('A mirrored page'))
  })
  return { proxy, provider, objects, sha256: createHash('sha256').update(bundle).digest('hex') }
}
