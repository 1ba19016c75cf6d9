import { generateKeyPairSync } from 'node:crypto'
import { createServer, type Server } from 'node:https'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { localhostCertificate } from '@docket/code-hosts/testing/certificate'
import { ApiErrorBody } from '@docket/api-types/api-error'
import { ConnectionList, ConnectionSettings, KeyCheck } from '@docket/api-types/connections'
import { StartedStaticExport } from '@docket/api-types/static-exports'
import { eq, sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { connections } from '#ground/db/connections.table.ts'
import { reencryptSealedKeys } from '#ground/secret/sealed-keys.ts'
import { testConnectionId } from '#testing/connection.ts'
import { testApp, type TestAppOptions } from '#testing/test-app.ts'

const key = 'the_key_behind_a_gateway'
const clientCertificate = { certificate: localhostCertificate.cert, key: localhostCertificate.key }
const headers = { 'X-Tenant': 'canary_tenant_docs', 'CF-Access-Client-Secret': 'canary_secret' }

const listen = async (server: Server | ReturnType<typeof createHttpServer>) => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** A service that accepts `key`. Before it, its gateway wants a client certificate, or the header. */
const gateway = async (wants: 'certificate' | 'header') => {
  const seen: (string | undefined)[] = []
  const handle: Parameters<typeof createHttpServer>[1] = (request, response) => {
    const secret = request.headers['cf-access-client-secret']
    seen.push(typeof secret === 'string' ? secret : undefined)
    const answer = (status: number, error: string) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
    if (wants === 'header' && secret !== headers['CF-Access-Client-Secret'])
      return answer(403, `No entry for ${String(secret)}`)
    return request.headers.authorization === `Bearer ${key}` ? answer(404, 'No such job') : answer(401, 'Unknown key')
  }
  if (wants === 'header') return { url: `http://127.0.0.1:${await listen(createHttpServer(handle))}`, seen }
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, localhostCertificate.cert])
  onTestFinished(() => setDefaultCACertificates(trusted))
  const asks = { requestCert: true, rejectUnauthorized: true, ca: localhostCertificate.cert }
  return { url: `https://localhost:${await listen(createServer({ ...localhostCertificate, ...asks }, handle))}`, seen }
}

const docket = async (options: TestAppOptions = {}) => {
  const app = await testApp(options)
  onTestFinished(app.close)
  await app.db.delete(connections).where(eq(connections.connectionId, testConnectionId))
  await app.services.service.registry.refresh()
  return {
    ...app,
    add: (baseUrl: string, more: object) =>
      app.post('/api/connections', { name: 'Guarded', baseUrl, key: { value: key }, ...more }),
    change: (connectionId: string, body: object) => app.send('PATCH', `/api/connections/${connectionId}`, body),
  }
}

const saved = async (response: Response) => {
  expect([201, 200]).toContain(response.status)
  return ConnectionSettings.parse(await response.json())
}
const refused = async (response: Response) => {
  const { field, message } = ApiErrorBody.parse(await response.json())
  return [response.status, field, message]
}

test('a gateway that requires a client certificate lets calls of its connection through, and no others', async () => {
  const { url, seen } = await gateway('certificate')
  const app = await docket()
  const [status, field] = await refused(await app.add(url, { anyway: false }))
  expect([status, field]).toEqual([409, 'baseUrl'])
  expect(seen).toEqual([])
  const { connectionId, ...added } = await saved(await app.add(url, { anyway: false, clientCertificate }))
  expect(added).toMatchObject({ headerNames: [], clientCertificateExpiresOn: '2126-10-28' })
  const check = await app.post(`/api/connections/${connectionId}/check`)
  expect(KeyCheck.parse(await check.json()).outcome).toBe('proven')
})

test('a gateway that requires a header gets it with each call, and no answer, log or row shows its value', async () => {
  const { url, seen } = await gateway('header')
  const app = await docket()
  const { connectionId } = await saved(await app.add(url, { anyway: false, headers }))
  expect(new Set(seen)).toEqual(new Set(['canary_secret']))
  const texts = [
    await (await app.get('/api/connections')).text(),
    await (await app.get('/api/status')).text(),
    await (await app.change(connectionId, { headers: { 'CF-Access-Client-Secret': 'canary_wrong_one' } })).text(),
    await (await app.post(`/api/connections/${connectionId}/check`)).text(),
    await (await app.get('/api/audit')).text(),
    app.logged(),
    ...(await app.db.execute<{ text: string }>(sql`select connections::text as text from connections`)).rows.map(
      ({ text }) => text,
    ),
  ]
  expect(texts.join('')).not.toContain('canary')
  expect(texts[3]).toContain('not_proven')
  const [known] = ConnectionList.parse(await (await app.get('/api/connections')).json()).items
  expect(known?.headerNames).toEqual(['CF-Access-Client-Secret'])
})

test('the headers reach neither the storage of bundles nor the target of a redirect', async () => {
  const elsewhere: (string | undefined)[] = []
  const storage = `http://127.0.0.1:${await listen(
    createHttpServer((request, response) => {
      elsewhere.push(...Object.keys(headers).map((name) => request.headers[name.toLowerCase()] as string | undefined))
      response.end('bytes of a bundle')
    }),
  )}`
  const service = `http://127.0.0.1:${await listen(
    createHttpServer((request, response) => {
      const reply = (status: number, body: object, more: object = {}) =>
        response.writeHead(status, { 'content-type': 'application/json', ...more }).end(JSON.stringify(body))
      if (request.headers['x-tenant'] !== headers['X-Tenant']) return reply(403, { error: 'No tenant' })
      if (request.url?.endsWith('/done/bundle')) return reply(200, { bundleUrl: `${storage}/bundle.tar.gz` })
      if (request.url?.endsWith('/done')) return reply(200, { jobId: 'done', status: 'completed' })
      return reply(307, {}, { location: `${storage}/elsewhere` })
    }),
  )}`
  const app = await docket()
  const { connectionId } = await saved(await app.add(service, { headers, bundleHosts: [new URL(storage).host] }))
  await app.post(`/api/connections/${connectionId}/check`)
  expect(elsewhere).toEqual([])
  const body = { connectionId, jobId: 'done', domain: 'docs.example.com' }
  const imported = await app.post('/api/static-exports/import', body)
  const { exportId } = StartedStaticExport.parse(await imported.json()).export
  await (await app.get(`/api/static-exports/${exportId}/download`)).text()
  expect(elsewhere.length).toBeGreaterThan(0)
  expect(new Set(elsewhere)).toEqual(new Set([undefined]))
})

test.each([
  ...['Authorization', 'host', 'COOKIE', 'Connection', 'Keep-Alive', 'Proxy-Authorization', 'TE', 'Trailer'].map(
    (name) => [name, 'x', /Docket sets it itself/] as const,
  ),
  ...['Transfer-Encoding', 'Upgrade', 'Content-Length', 'Expect'].map(
    (name) => [name, 'x', /Docket sets it itself/] as const,
  ),
  ['X Tenant', 'x', /HTTP doesn’t allow/],
  ['X-Tenant:', 'x', /HTTP doesn’t allow/],
  ['', 'x', /HTTP doesn’t allow/],
  ['X-Tenant', 'canary\r\nX-Other: 1', /X-Tenant.*can’t carry/],
  ['X-Tenant', 'canary\n', /can’t carry/],
  ['X-Tenant', 'canary\0', /can’t carry/],
  ['X-Tenant', 'canary €', /can’t carry/],
  ['X-Tenant', '', /is empty/],
] as const)('the header %j: %j is refused with a sentence that has no value', async (name, value, sentence) => {
  const { url } = await gateway('header')
  const app = await docket()
  const [status, field, message] = await refused(await app.add(url, { headers: { [name]: value } }))
  expect([status, field]).toEqual([400, 'headers'])
  expect(message).toMatch(sentence)
  expect(message).not.toContain('canary')
})

test('a certificate must be PEM, unexpired, over https, and match its private key', async () => {
  const app = await docket()
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  const tryAdding = async (change: object, url = 'https://api.example', on = app) => {
    const [status, field, message] = await refused(
      await on.add(url, { clientCertificate: { ...clientCertificate, ...change } }),
    )
    expect([status, field]).toEqual([400, 'clientCertificate'])
    return message
  }
  expect(await tryAdding({ certificate: 'canary' })).toMatch(/certificate can’t be read/)
  expect(await tryAdding({ key: 'canary' })).toMatch(/private key can’t be read/)
  expect(await tryAdding({ key: pem })).toMatch(/doesn’t belong/)
  expect(await tryAdding({}, 'http://127.0.0.1:1')).toMatch(/https/)
  const later = await docket({ now: () => Date.parse('2200-01-01T00:00:00Z') })
  expect(await tryAdding({}, 'https://api.example', later)).toMatch(/expired on 2126-10-28/)
})

test('a new address requires headers and certificate again, a rotation of the secret re-encrypts them, and removal deletes them', async () => {
  const app = await docket()
  const more = { headers, clientCertificate }
  const { connectionId } = await saved(await app.add('https://api.example', more))
  const moved = { baseUrl: 'https://new.example', key: { value: key } }
  expect((await refused(await app.change(connectionId, moved)))[1]).toBe('headers')
  expect((await refused(await app.change(connectionId, { ...moved, headers })))[1]).toBe('clientCertificate')
  const sealed = async () =>
    (await app.db.select().from(connections).where(eq(connections.connectionId, connectionId)))[0]!
  const before = await sealed()
  const { ring } = app.services.service
  await app.db.transaction((tx) =>
    reencryptSealedKeys(tx, { secret: 'another secret of 32 characters!', previousSecret: null }, [ring.secret]),
  )
  const after = await sealed()
  for (const column of ['sealedHeaders', 'sealedClientCertificate'] as const) {
    expect(after[column]).toMatch(/^\$ba\$/)
    expect(after[column]?.slice(0, 12)).not.toBe(before[column]?.slice(0, 12))
  }
  await app.delete(`/api/connections/${connectionId}`)
  const gone = { sealedHeaders: null, sealedClientCertificate: null, headerNames: [], clientCertificateExpiresOn: null }
  expect(await sealed()).toMatchObject(gone)
})

test('the same address and key twice is told before it is saved', async () => {
  const { url } = await gateway('header')
  const app = await docket()
  await saved(await app.add(url, { headers, anyway: false }))
  const twin = { headers, name: 'Twin' }
  const [status, field, message] = await refused(await app.add(url, { ...twin, anyway: false }))
  expect([status, field]).toEqual([409, 'key'])
  expect(message).toMatch(/^Guarded has the same address and key/)
  const reordered = Object.fromEntries(
    Object.entries(headers)
      .map(([n, value]) => [n.toLowerCase(), value])
      .toReversed(),
  )
  expect((await app.add(url, { ...twin, headers: reordered, anyway: false })).status).toBe(409)
  // Another tenant at the same gateway is another service.
  const other = { ...headers, 'X-Tenant': 'handbook' }
  await saved(await app.add(url, { ...twin, headers: other, name: 'Tenant', anyway: false }))
  await saved(await app.add(url, { ...twin, anyway: true }))
  // As in 1.0.0, requests without `anyway` are saved as they are.
  await saved(await app.add(url, { ...twin, name: 'Third' }))
})
