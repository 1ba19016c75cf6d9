import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { buffer } from 'node:stream/consumers'
import { createS3Storage } from '@docket/artifact-store/s3/s3-storage'
import { proxiedCertificate, startConnectProxy } from '@docket/outbound/testing/connect-proxy'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createBundleFetch } from '#bundles/download/storage/bundle-fetch.ts'
import { createOidcProvider } from '#people/accounts/oidc/provider.ts'
import { checkAll } from '#process/commands/check/check.ts'
import { httpAdminApi } from '#service/admin-api/http-admin-api.ts'

setDefaultCACertificates([...getCACertificates('default'), proxiedCertificate.cert])

const exportId = '0b4a1c4e-6d0e-4b1e-9f5e-2f1f0a9f3a11'

/** Servers that only the proxy can reach, because no resolver knows their names. */
const openNetwork = async (servers: Record<string, RequestListener>) => {
  const proxy = await startConnectProxy()
  const running = Object.entries(servers).map(async ([name, listener]) => {
    const server = createServer(proxiedCertificate, listener)
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    proxy.lead(`${name}.proxied.example:443`, (server.address() as AddressInfo).port)
    return server
  })
  const open = await Promise.all(running)
  vi.stubEnv('HTTPS_PROXY', proxy.url)
  onTestFinished(async () => {
    vi.unstubAllEnvs()
    await proxy.close()
    for (const server of open) {
      server.closeAllConnections()
      server.close()
    }
  })
  return proxy
}

const temporaryFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docket-proxy-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const openApi = () => {
  const api = httpAdminApi({ baseUrl: 'https://api.proxied.example', key: () => 'prefix_0123456789abcdef' })
  onTestFinished(() => api.close())
  return api
}

const order = { domain: 'docs.example.com', version: null, paths: [], priority: null } as unknown as Parameters<
  ReturnType<typeof openApi>['startStaticExport']
>[0]

const json =
  (value: unknown): RequestListener =>
  (request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  }

/** An object store that keeps what is put. */
const keepObjects =
  (objects: Map<string, Buffer>): RequestListener =>
  (request, response) => {
    const [path = ''] = (request.url ?? '').split('?')
    const found = objects.get(path)
    if (request.method === 'PUT')
      return void buffer(request).then((body) => {
        objects.set(path, body)
        response.end()
      })
    if (found === undefined) return void response.writeHead(404).end()
    response.writeHead(200, { 'content-length': found.length }).end(request.method === 'HEAD' ? '' : found)
  }

test('behind a proxy, an export starts, is followed, and its bundle arrives', async () => {
  const asked: string[] = []
  const proxy = await openNetwork({
    api: (request, response) => {
      asked.push(`${request.method} ${request.url}`)
      json({ jobId: exportId, id: exportId, status: 'completed' })(request, response)
    },
    storage: (_, response) => response.end('a bundle'),
  })
  const api = openApi()
  await api.startStaticExport(order)
  await api.getStaticExport(exportId)
  const bundles = createBundleFetch({ adminOrigin: api.origin, hosts: [] })
  onTestFinished(() => bundles.close())
  const { body } = await bundles.get('https://storage.proxied.example/x?sig=1', {}, new AbortController().signal)
  expect(String(await buffer(body))).toBe('a bundle')
  expect(asked).toEqual(['POST /v1/static-export/jobs', `GET /v1/static-export/jobs/${exportId}`])
  expect(new Set(proxy.places)).toEqual(new Set(['api.proxied.example:443', 'storage.proxied.example:443']))
})

test('a start that the proxy doesn’t let out is refused, never unknown', async () => {
  const proxy = await openNetwork({ api: json({}) })
  const start = () => {
    const api = openApi()
    return api.startStaticExport(order)
  }
  for (const answer of [403, 407, 502, 'cut'] as const) {
    proxy.answer(answer)
    const sentence = `No connection: the proxy http://${proxy.place}`
    await expect(start()).rejects.toMatchObject({ effect: 'none', message: expect.stringContaining(sentence) })
  }
})

test('behind a proxy, the provider of single sign-on is read, and the log names a proxy that fails', async () => {
  const issuer = 'https://login.proxied.example/'
  const proxy = await openNetwork({
    login: json({ issuer, authorization_endpoint: `${issuer}authorize`, token_endpoint: `${issuer}token` }),
  })
  const settings = { issuer: new URL(issuer), clientId: 'docket', clientSecret: () => 'secret', scopes: ['openid'] }
  const ask = () =>
    createOidcProvider(
      { ...settings, groupsClaim: 'groups' } as Parameters<typeof createOidcProvider>[0],
      Date.now,
    ).authorizationUrl({ state: 'a', nonce: 'b', verifier: 'c'.repeat(43), redirectUri: 'https://docket.example/x' })
  proxy.answer(403)
  await expect(ask()).rejects.toThrow(`the proxy http://${proxy.place} doesn’t allow connections`)
  proxy.answer(null)
  expect(await ask()).toContain('https://login.proxied.example/authorize?')
})

test('behind a proxy, check-config --reach calls every service through it, and says what the proxy answered', async () => {
  const issuer = 'https://login.proxied.example/'
  const proxy = await openNetwork({
    api: (_, response) => response.writeHead(404).end('{"error":"Job not found"}'),
    login: json({ issuer, authorization_endpoint: `${issuer}authorize`, token_endpoint: `${issuer}token` }),
    s3: keepObjects(new Map()),
  })
  const env = {
    DATA_DIR: await temporaryFolder(),
    ADMIN_API_URL: 'https://api.proxied.example',
    ADMIN_API_KEY: 'prefix_0123456789abcdef',
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: 'docket',
    OIDC_CLIENT_SECRET: 'secret',
    OIDC_VIEWER_GROUP: '*',
    ARTIFACT_S3_BUCKET: 'docket',
    ARTIFACT_S3_ENDPOINT: 'https://s3.proxied.example',
    ARTIFACT_S3_ACCESS_KEY_ID: 'docket',
    ARTIFACT_S3_SECRET_ACCESS_KEY: 'secret',
  }
  const reach = async () => {
    const findings = await checkAll(env, { reach: true })
    return findings.map(({ text }) => text).filter((text) => /Admin API|sign-on|bucket/i.test(text))
  }
  proxy.answer(403)
  const refused = (await reach()).filter((text) => text.includes(`the proxy http://${proxy.place} doesn’t allow`))
  expect(refused).toHaveLength(3)
  proxy.answer(null)
  const reached = (await reach()).join('\n')
  expect(reached).toContain('accepts the key')
  expect(reached).toContain('The bucket of stored bundles takes, returns and deletes an object.')
  expect(reached).toContain(`The provider of single sign-on at ${issuer} answers.`)
  expect(new Set(proxy.places)).toEqual(new Set(['api', 's3', 'login'].map((name) => `${name}.proxied.example:443`)))
})

test('behind a proxy, an object store keeps and returns a file', async () => {
  await openNetwork({ s3: keepObjects(new Map()) })
  const file = join(await temporaryFolder(), 'x')
  await writeFile(file, 'content of a bundle')
  const options = { bucket: 'docket', endpoint: 'https://s3.proxied.example', region: 'us-east-1' }
  const storage = createS3Storage(
    { ...options, accessKeyId: 'docket', secretAccessKey: () => 'secret' },
    () => new Date(),
  )
  onTestFinished(() => storage.close())
  const content = await readFile(file)
  await storage.put('a/b', file)
  const stored = await storage.read('a/b')
  expect(await buffer(stored!)).toEqual(content)
})
