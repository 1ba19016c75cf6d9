import { createServer, request as plainRequest } from 'node:http'
import { createServer as createSecureServer, request as askEncrypted } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { expect, onTestFinished, test, vi } from 'vitest'
import { allowAllButMetadata, allowPublicAnd } from './addresses.ts'
import { createNodeAgents, createOutboundAgent, fetchOnce } from './outbound.ts'
import { describeProxy, findProxy, parseProxy } from './proxy.ts'
import { proxiedCertificate, startConnectProxy } from './testing/connect-proxy.ts'

setDefaultCACertificates([...getCACertificates('default'), proxiedCertificate.cert])

const openServer = async (secure = true) => {
  const answer = (_: unknown, response: { end(text: string): void }) => response.end('hello')
  const server = secure ? createSecureServer(proxiedCertificate, answer) : createServer(answer)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const openProxy = async (options?: Parameters<typeof startConnectProxy>[0]) => {
  const proxy = await startConnectProxy(options)
  for (const name of ['HTTPS_PROXY', 'HTTP_PROXY']) vi.stubEnv(name, proxy.url)
  onTestFinished(async () => {
    vi.unstubAllEnvs()
    await proxy.close()
  })
  return proxy
}

const openAgent = (options: Partial<Parameters<typeof createOutboundAgent>[0]> = {}) => {
  const agent = createOutboundAgent({ allows: allowPublicAnd({}), connectMs: 5_000, ...options })
  onTestFinished(() => agent.destroy())
  return agent
}

const get = async (url: string, agent = openAgent()) =>
  fetchOnce(agent, url, { maxBytes: 100 }).then(
    (answer) => answer?.body.toString(),
    (error: Error) => error.cause as Error,
  )

test.each([{ secure: false }, { secure: true, credentials: 'ada:p%40ss%3Aword' }])(
  'https and http leave through the proxy, whose address alone is looked up and whose own certificate is checked (%o)',
  async ({ secure, credentials }) => {
    const proxy = await openProxy({ secure, ...(credentials && { credentials: decodeURIComponent(credentials) }) })
    const address = credentials === undefined ? proxy.url : `https://${credentials}@${proxy.place}`
    for (const name of ['HTTPS_PROXY', 'HTTP_PROXY']) vi.stubEnv(name, address)
    proxy.lead('api.proxied.example:443', await openServer())
    proxy.lead('docs.elsewhere.example:8080', await openServer(false))
    const sockets: Socket[] = []
    const agent = openAgent({ onSocket: (socket) => void sockets.push(socket) })
    expect(await get('https://api.proxied.example/x', agent)).toBe('hello')
    // A connection is free a turn after its answer.
    await setImmediate()
    expect(await get('https://api.proxied.example/y', agent)).toBe('hello')
    expect(await get('http://docs.elsewhere.example:8080/', agent)).toBe('hello')
    expect(proxy.places).toEqual(['api.proxied.example:443', 'docs.elsewhere.example:8080'])
    // Limits on the wire count what arrives in a tunnel.
    for (const { bytesRead } of sockets) expect(bytesRead).toBeGreaterThan(100)
  },
)

test('other client libraries leave through the proxy, too', async () => {
  const proxy = await openProxy()
  proxy.lead('s3.proxied.example:443', await openServer())
  const agents = createNodeAgents({ keepAlive: false, connectMs: 5_000 })
  const ask = (url: string) =>
    new Promise((resolve) => {
      const request = askEncrypted(url, { agent: agents.httpsAgent }, (response) => resolve(response.statusCode))
      request.on('error', resolve).end()
    })
  // As the AWS SDK asks, without a protocol.
  const askPlain = (host: string) =>
    new Promise((resolve) => {
      const request = plainRequest({ host, agent: agents.httpAgent }, (response) => resolve(response.statusCode))
      request.on('error', resolve).end()
    })
  expect(await ask('https://s3.proxied.example/bucket')).toBe(200)
  expect(await ask('https://metadata.google.internal/')).toMatchObject({ code: 'ERR_METADATA_ADDRESS' })
  expect(await ask('https://elsewhere.proxied.example/')).toMatchObject({ code: 'ERR_PROXY' })
  expect(proxy.places).toEqual(['s3.proxied.example:443', 'elsewhere.proxied.example:443'])
  vi.stubEnv('HTTPS_PROXY', '')
  proxy.lead('minio.proxied.example:80', await openServer(false))
  expect(await askPlain('minio.proxied.example')).toBe(200)
})

test('metadata services and refused addresses are not asked for through a proxy', async () => {
  const proxy = await openProxy()
  const agent = openAgent({ allows: allowAllButMetadata })
  for (const host of ['169.254.169.254', 'metadata.google.internal', 'METADATA.google.internal.', '[fd00:ec2::254]'])
    expect(await get(`https://${host}/`, agent)).toMatchObject({ code: 'ERR_METADATA_ADDRESS' })
  expect(await get('https://10.0.0.1/')).toMatchObject({ code: 'ERR_FORBIDDEN_ADDRESS' })
  expect(proxy.places).toEqual([])
})

test('this machine is never reached through a proxy', async () => {
  const proxy = await openProxy()
  const port = await openServer(false)
  const agent = openAgent({ allows: allowAllButMetadata })
  for (const host of ['127.0.0.1', 'localhost', '127.1', '[::ffff:127.0.0.1]'])
    expect(await get(`http://${host}:${port}/`, agent)).toBe('hello')
  expect(proxy.places).toEqual([])
})

test('a failure names the proxy and the cause, without its user name and password', async () => {
  const proxy = await openProxy({ credentials: 'babbage:hunter2' })
  const failure = async (address: string, connectMs = 5_000) => {
    vi.stubEnv('HTTPS_PROXY', address)
    const error = (await get('https://api.proxied.example/', openAgent({ connectMs }))) as Error
    expect(error).toMatchObject({ name: 'ProxyFailed', code: 'ERR_PROXY' })
    expect(`${error.stack}${JSON.stringify(error)}`).not.toMatch(/babbage|hunter2/)
    return error.message.replaceAll(proxy.place, 'proxy')
  }
  expect(await failure(proxy.url)).toBe('the proxy http://proxy couldn’t connect to api.proxied.example:443 (502)')
  proxy.answer(403)
  expect(await failure(proxy.url)).toBe(
    'the proxy http://proxy doesn’t allow connections to api.proxied.example:443 (403)',
  )
  proxy.answer(200 + 2)
  expect(await failure(proxy.url)).toContain('answered 202 instead of connecting to api.proxied.example:443')
  proxy.answer('cut')
  expect(await failure(proxy.url)).toBe('the proxy http://proxy can’t be reached (ECONNRESET)')
  proxy.answer('hang')
  expect(await failure(proxy.url, 50)).toBe('the proxy http://proxy didn’t answer in time')
  expect(await failure(`http://${proxy.place}`)).toBe('the proxy http://proxy wants a user name and password')
  expect(await failure(`http://babbage:wrong@${proxy.place}`)).toContain('doesn’t accept the user name and password')
  expect(await failure('http://babbage:hunter2@127.0.0.1:1')).toBe(
    'the proxy http://127.0.0.1:1 can’t be reached (ECONNREFUSED)',
  )
})

test('the variables are read as curl reads them', () => {
  const find = (url: string, env: Record<string, string>) => {
    const proxy = findProxy(new URL(url), env)
    return proxy && describeProxy(proxy)
  }
  const [a, b] = ['http://a.example:3128', 'http://b.example:3128']
  expect(find('https://x.example', { HTTPS_PROXY: a })).toBe(a)
  expect(find('https://x.example', { HTTPS_PROXY: a, https_proxy: b })).toBe(b)
  expect(find('https://x.example', { HTTPS_PROXY: a, https_proxy: ' ' })).toBe(a)
  expect(find('https://x.example', { HTTPS_PROXY: 'ada:word@a.example:3128' })).toBe(a)
  expect(find('https://x.example', { HTTP_PROXY: a })).toBeNull()
  expect(find('http://x.example', { HTTP_PROXY: a, HTTPS_PROXY: b })).toBe(a)
  for (const address of ['socks5://a.example', 'http://a.example/path', 'a b']) expect(parseProxy(address)).toBeNull()
})

test.each<[string, string, boolean]>([
  ['*', 'https://x.example', true],
  ['one.example, x.example', 'https://x.example', true],
  ['one.example x.example', 'https://X.example.', true],
  ['x.example', 'https://a.x.example', true],
  ['.x.example', 'https://x.example', true],
  ['*.x.example', 'https://a.x.example', true],
  ['x.example', 'https://ax.example', false],
  ['x.example:8443', 'https://x.example:8443', true],
  ['x.example:8443', 'https://x.example', false],
  ['x.example:443', 'https://x.example', true],
  ['10.0.0.0/8', 'https://10.1.2.3', true],
  ['10.0.0.0/8', 'https://11.1.2.3', false],
  ['10.1.2.3', 'https://10.1.2.3', true],
  ['10.0.0.0/8', 'https://10.example', false],
  ['fd00::/8', 'https://[fd00::1]', true],
  ['[fd00::1]:8443', 'https://[fd00::1]:8443', true],
  ['fd00::1', 'https://[fd00::2]', false],
  [', ,', 'https://x.example', false],
])('NO_PROXY=%s, asked for %s: direct is %s', (NO_PROXY, url, isDirect) => {
  const env = { HTTPS_PROXY: 'http://a.example:3128' }
  expect(findProxy(new URL(url), { ...env, NO_PROXY }) === null).toBe(isDirect)
  expect(findProxy(new URL(url), { ...env, no_proxy: NO_PROXY }) === null).toBe(isDirect)
})
