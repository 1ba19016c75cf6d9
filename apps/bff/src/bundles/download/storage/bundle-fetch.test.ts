import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createBundleFetch } from './bundle-fetch.ts'

const signal = new AbortController().signal

type Answers = { address: string; family: number }[][]

/** A resolver that gives these answers, one after the other, and counts. */
const resolver = (...answers: Answers) => {
  const lookups: string[] = []
  const lookup = (name: string, _: object, done: (error: null, found: Answers[number]) => void) => {
    lookups.push(name)
    done(null, answers[Math.min(lookups.length, answers.length) - 1]!)
  }
  return { lookups, lookup: lookup as never }
}

const to = (...addresses: string[]) => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

const fetcher = (options: Partial<Parameters<typeof createBundleFetch>[0]> = {}) => {
  const fetch = createBundleFetch({
    adminOrigin: 'https://api.example.com',
    hosts: [],
    timeouts: { connectMs: 1000, headersMs: 1000, bodyMs: 1000 },
    ...options,
  })
  onTestFinished(() => fetch.close())
  return fetch
}

/** A server on loopback that counts its connections. */
const listener = async () => {
  let connections = 0
  const server = createServer((_, response) => void response.end('bundle'))
  server.on('connection', () => (connections += 1))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => (server.closeAllConnections(), server.close(() => resolve()))))
  return { port: (server.address() as AddressInfo).port, connections: () => connections }
}

test.each([
  'https://127.0.0.1/x',
  'https://2130706433/x',
  'https://0x7f.1/x',
  'https://0177.0.0.1/x',
  'https://127.1/x',
  'https://127.0.0.1./x',
  'https://１２７.0.0.1/x',
  'https://[::1]/x',
  'https://[::ffff:127.0.0.1]/x',
  'https://[::ffff:7f00:1]/x',
  'https://169.254.169.254/latest/meta-data',
  'https://10.0.0.1/x',
  'https://localhost/x',
  'http://storage.example.com/x',
  'http://127.0.0.1/x',
  'ftp://storage.example.com/x',
  'file:///etc/passwd',
  'gopher://127.0.0.1/',
  'https://user@storage.example.com/x',
  'https://user:secret@storage.example.com/x',
  'not a link',
  'https://',
  '//storage.example.com/x',
])('the unsafe link %s is not fetched', async (link) => {
  const { port, connections } = await listener()
  const aimed = link.replace(/^(https?:\/\/(?:\[[^\]]*\]|[^/:]+))\//, `$1:${port}/`)
  await expect(fetcher().get(aimed, {}, signal)).rejects.toMatchObject({ code: 'upstream_unexpected' })
  expect(connections()).toBe(0)
})

test('a name that resolves to a private address is not connected to, even if it also has a public address', async () => {
  const { port, connections } = await listener()
  for (const answer of [to('127.0.0.1'), to('::ffff:127.0.0.1'), to('10.0.0.1', '169.254.169.254')]) {
    const { lookup, lookups } = resolver(answer)
    const get = fetcher({ lookup }).get(`https://storage.example.com:${port}/x?sig=s3cret`, {}, signal)
    await expect(get).rejects.toMatchObject({
      code: 'upstream_unexpected',
      message: expect.stringContaining('BUNDLE_HOSTS') as string,
    })
    expect(lookups).toEqual(['storage.example.com'])
  }
  expect(connections()).toBe(0)
})

test('a name is resolved once per connection, and the checked address is the one connected to', async () => {
  const { port, connections } = await listener()
  const { lookup, lookups } = resolver(to('127.0.0.1'), to('169.254.169.254'))
  const get = fetcher({ lookup, hosts: [`storage.example.com:${port}`] }).get(
    `https://storage.example.com:${port}/x`,
    {},
    signal,
  )
  // A listed host may be inside; this one speaks no TLS, which is as far as it gets.
  await expect(get).rejects.toMatchObject({ code: 'upstream_unavailable' })
  expect(lookups).toEqual(['storage.example.com'])
  expect(connections()).toBe(1)
})

test('only the allowed addresses of a name are tried', async () => {
  const { port, connections } = await listener()
  const { lookup } = resolver(to('169.254.169.254', '127.0.0.1'))
  const get = fetcher({ lookup, hosts: [`storage.example.com:${port}`] }).get(
    `https://storage.example.com:${port}/x`,
    {},
    signal,
  )
  await expect(get).rejects.toMatchObject({ code: 'upstream_unavailable' })
  expect(connections()).toBe(1)
})

test('with an allow-list, only its hosts are contacted', async () => {
  const { checkLink } = fetcher({ hosts: ['storage.example.com', '*.cdn.example'] })
  for (const link of ['https://storage.example.com/x', 'https://a.cdn.example/x', 'https://STORAGE.example.com:443/x'])
    expect(checkLink(link)).toMatch(/^https:/)
  for (const link of [
    'https://example.com/x',
    'https://cdn.example/x',
    'https://storage.example.com.evil.example/x',
    'https://evilcdn.example/x',
    'https://127.0.0.1/x',
  ])
    expect(() => checkLink(link)).toThrow('BUNDLE_HOSTS')
})

test('plain http to another machine is allowed only to the store of the embedded service that an operator allows it to', async () => {
  const { port, connections } = await listener()
  const { lookup } = resolver(to('127.0.0.1'))
  const admin = { adminOrigin: 'http://127.0.0.1:8080', lookup }
  const place = `minio.storage.svc:${port}`
  const allowed = fetcher({ ...admin, hosts: [`http://${place}`] })
  const { status, body } = await allowed.get(`http://${place}/bucket/x?sig=1`, {}, signal)
  expect(status).toBe(200)
  body.destroy()
  for (const link of [
    `http://minio.storage.svc:${port + 1}/x`,
    `http://other.storage.svc:${port}/x`,
    `https://${place}/x`,
  ])
    expect(() => allowed.checkLink(link)).toThrow('doesn’t follow')
  expect(() => fetcher({ ...admin, hosts: [place] }).checkLink(`http://${place}/x`)).toThrow('it isn’t https')
  expect(connections()).toBe(1)
})

test('otherwise plain http is allowed only for the embedded service and only on this machine', async () => {
  const { port, connections } = await listener()
  const embedded = fetcher({ adminOrigin: `http://127.0.0.1:${port}` })
  const { status, body } = await embedded.get(`http://127.0.0.1:${port}/x`, {}, signal)
  expect(status).toBe(200)
  body.destroy()
  await expect(embedded.get('http://10.0.0.1/x', {}, signal)).rejects.toMatchObject({ code: 'upstream_unexpected' })
  expect(connections()).toBe(1)
  const secure = fetcher({ adminOrigin: `https://127.0.0.1:${port}` })
  await expect(secure.get(`http://127.0.0.1:${port}/x`, {}, signal)).rejects.toMatchObject({
    code: 'upstream_unexpected',
  })
  expect(connections()).toBe(1)
})

test('on this machine only the port of the Admin API is allowed, unless the operator lists other ports', async () => {
  const { port, connections } = await listener()
  const adminOrigin = 'http://localhost:8080'
  for (const link of [
    `http://localhost:${port}/x`,
    `http://127.0.0.1:${port}/metrics`,
    `https://docs.localhost:${port}/x`,
  ])
    await expect(fetcher({ adminOrigin }).get(link, {}, signal)).rejects.toMatchObject({ code: 'upstream_unexpected' })
  expect(connections()).toBe(0)
  const { body } = await fetcher({ adminOrigin, hosts: [`127.0.0.1:${port}`] }).get(
    `http://127.0.0.1:${port}/x`,
    {},
    signal,
  )
  body.destroy()
})

test('a listed host without a port allows its default port, and one with a port allows only that port', () => {
  const hosts = ['storage.example.com', '*.cdn.example:8443', 'both.example:443', 'both.example:9000', '[fd00::1]:9000']
  const { checkLink } = fetcher({ hosts })
  for (const link of [
    'https://storage.example.com/x',
    'https://a.cdn.example:8443/x',
    'https://both.example/x',
    'https://both.example:9000/x',
    'https://[fd00:0::1]:9000/x',
  ])
    expect(checkLink(link)).toMatch(/\/x$/)
  for (const [link, place] of [
    ['https://storage.example.com:8443/x', 'storage.example.com:8443'],
    ['https://a.cdn.example/x', 'a.cdn.example'],
    ['https://a.cdn.example:9000/x', 'a.cdn.example:9000'],
    ['https://both.example:8443/x', 'both.example:8443'],
    ['https://[fd00::1]/x', '[fd00::1]'],
    ['https://[fd00::1]:9001/x', '[fd00::1]:9001'],
  ] as const)
    expect(() => checkLink(link)).toThrow(`${place} is not in BUNDLE_HOSTS. Add it there if it is your storage`)
})

test('on this machine only listed ports are allowed, whatever listens on the others', () => {
  const { checkLink } = fetcher({ adminOrigin: 'http://127.0.0.1:8080', hosts: ['127.0.0.1:9000', 'localhost:80'] })
  for (const link of ['http://127.0.0.1:8080/x', 'http://127.0.0.1:9000/x', 'http://localhost/x'])
    expect(checkLink(link)).toMatch(/\/x$/)
  for (const place of ['127.0.0.1:5432', '127.0.0.1:9001', '127.0.0.1', 'localhost:9000'])
    expect(() => checkLink(`http://${place}/x`)).toThrow(`add ${place} to BUNDLE_HOSTS`)
})

test('well-known ports of databases, mail and shells are refused unless the operator lists them', () => {
  const { checkLink } = fetcher({ hosts: ['*.example.com', '*.example.com:9200', '*.example.com:8443'] })
  for (const port of [22, 25, 53, 445, 2375, 3306, 5432, 6379, 6443, 10250, 11211, 27017])
    for (const fetch of [{ checkLink }, fetcher()])
      expect(() => fetch.checkLink(`https://storage.example.com:${port}/x`)).toThrow(
        `port ${port}. If it is your storage, add storage.example.com:${port} to BUNDLE_HOSTS`,
      )
  for (const port of [443, 8443, 9200]) checkLink(`https://storage.example.com:${port}/x`)
  for (const port of [80, 443, 8443, 9000]) fetcher().checkLink(`https://storage.example.com:${port}/x`)
})

test('a browser is not redirected to a private address either', () => {
  const { checkLink } = fetcher()
  for (const link of [
    'https://192.168.1.1/x',
    'https://127.1/x',
    'https://[fe80::1]/x',
    'https://localhost/x',
    'https://a.localhost./x',
  ])
    expect(() => checkLink(link)).toThrow('BUNDLE_HOSTS')
  expect(fetcher({ hosts: ['192.168.1.1'] }).checkLink('https://192.168.1.1/x')).toBe('https://192.168.1.1/x')
})

test('a silent storage causes a time-out, and the error does not contain the link', async () => {
  const server = createServer(() => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => (server.closeAllConnections(), server.close(() => resolve()))))
  const { port } = server.address() as AddressInfo
  const get = fetcher({ adminOrigin: `http://127.0.0.1:${port}` }).get(
    `http://127.0.0.1:${port}/x?sig=s3cret`,
    {},
    signal,
  )
  const error = await get.then(
    () => null,
    (failure: Error) => failure,
  )
  expect(error).toMatchObject({ code: 'upstream_timeout' })
  expect(`${error?.message} ${String(error?.cause)} ${error?.stack}`).not.toContain('s3cret')
})
