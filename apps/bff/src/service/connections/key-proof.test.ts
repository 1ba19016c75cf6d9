import type { ServerResponse } from 'node:http'
import { ApiErrorBody } from '@docket/api-types/api-error'
import { ConnectionList, ConnectionSettings, KeyCheck } from '@docket/api-types/connections'
import { eq } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { connections } from '#ground/db/connections.table.ts'
import { testConnectionId } from '#testing/connection.ts'
import { testDatabase } from '#testing/database.ts'
import { keyedService } from '#testing/keyed-service.ts'
import { standInServer } from '#testing/stand-in-server.ts'
import { testApp, type TestAppOptions } from '#testing/test-app.ts'

const key = 'adm_the-right-key'

/** A Docket without a connection. */
const docket = async (options: TestAppOptions = {}) => {
  const app = await testApp({ testKeys: true, ...options })
  onTestFinished(app.close)
  await app.db.delete(connections).where(eq(connections.connectionId, testConnectionId))
  await app.services.service.registry.refresh()
  return {
    ...app,
    try: async (url: string, more: object = {}) =>
      KeyCheck.parse(
        await (await app.post('/api/connections/test', { baseUrl: url, key: { value: key }, ...more })).json(),
      ),
    add: (url: string, more: object = {}) =>
      app.post('/api/connections', { name: 'Acme', baseUrl: url, key: { value: key }, ...more }),
    list: async () => ConnectionList.parse(await (await app.get('/api/connections')).json()).items,
  }
}

const wrongPlace = async (answer: (response: ServerResponse) => void) => {
  const server = await standInServer((_, response) => answer(response))
  onTestFinished(server.close)
  return server.url
}

const service = async (...keys: string[]) => {
  const found = await keyedService('Acme', keys)
  onTestFinished(found.close)
  return found
}

const json = { 'content-type': 'application/json' }
const wrongPlaces: Record<string, (response: ServerResponse) => void> = {
  'a 404 as text': (response) => response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found'),
  'an empty 404': (response) => response.writeHead(404).end(),
  'a 404 in JSON without a message': (response) => response.writeHead(404, json).end('{}'),
  'a 404 in JSON with a message': (response) => response.writeHead(404, json).end('{"error":"Not found"}'),
  'a 410 in JSON': (response) => response.writeHead(410, json).end('{"error":"Gone"}'),
  'a web page': (response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>'),
  'a good answer to anything': (response) => response.writeHead(200, json).end('{"status":"running"}'),
}

test.each(Object.entries(wrongPlaces))(
  'an address that answers every key with %s proves no key: a test is inconclusive, and nothing is saved',
  async (_, answer) => {
    const [app, url] = [await docket(), await wrongPlace(answer)]
    expect(await app.try(url)).toMatchObject({
      outcome: 'not_proven',
      message: expect.stringMatching(/address/i) as string,
    })
    const refused = await app.add(url, { anyway: false })
    expect(refused.status).toBe(409)
    expect(ApiErrorBody.parse(await refused.json())).toMatchObject({ code: 'conflict', field: 'baseUrl' })
    expect(await app.list()).toEqual([])
  },
)

test('only a valid key is proven, and a rejected one is refused at its field', async () => {
  const [app, acme] = [await docket(), await service(key)]
  expect(await app.try(acme.url)).toMatchObject({ outcome: 'proven' })
  expect(await app.try(acme.url, { key: { value: 'wrong' } })).toMatchObject({ outcome: 'rejected' })
  const refusals = [{ key: { value: 'wrong' } }, { readKey: { value: 'wrong' } }].map(async (wrong) => {
    const response = await app.add(acme.url, { ...wrong, anyway: false })
    return ApiErrorBody.parse(await response.json()).field
  })
  expect(await Promise.all(refusals)).toEqual(['key', 'readKey'])
  expect(await app.list()).toEqual([])
  expect((await app.add(acme.url, { anyway: false })).status).toBe(201)
  expect(await app.list()).toMatchObject([
    { name: 'Acme', keyHealth: { check: { outcome: 'proven' }, lastAcceptedAt: expect.any(String) as string } },
  ])
})

test('a key that can’t be valid is sent at most once a minute to an address, from all replicas, and never by the periodic test', async () => {
  const acme = await service(key)
  const invalid = () => acme.seen.filter((call) => call.key !== key).length
  const database = await testDatabase()
  onTestFinished(database.drop)
  let nowMs = Date.now()
  const now = () => nowMs
  const [one, two] = [await docket({ database, now }), await docket({ database, now })]
  await one.add(acme.url)
  await one.services.service.registry.tick()
  expect((await one.list())[0]?.keyHealth.check?.outcome).toBe('proven')
  expect([acme.seen.length, invalid()]).toEqual([1, 0])
  for (const app of [one, two, one]) expect(await app.try(acme.url)).toMatchObject({ outcome: 'proven' })
  expect(invalid()).toBe(1)
  nowMs += 61_000
  expect(await two.try(acme.url)).toMatchObject({ outcome: 'proven' })
  expect(invalid()).toBe(2)
})

test('a connection saved anyway keeps its verdict, which the periodic test doesn’t replace', async () => {
  const app = await docket()
  const url = await wrongPlace(wrongPlaces['a 404 in JSON with a message']!)
  const { connectionId } = ConnectionSettings.parse(await (await app.add(url, { anyway: true })).json())
  await app.services.service.registry.tick()
  const health = async () => (await app.list())[0]?.keyHealth
  expect(await health()).toMatchObject({ lastAcceptedAt: null, check: { outcome: 'not_proven' } })
  const check = await app.post(`/api/connections/${connectionId}/check`)
  expect(KeyCheck.parse(await check.json())).toMatchObject({ outcome: 'not_proven' })
})

test('a changed key is saved only when proven, or anyway, and a change without the flag is saved as before', async () => {
  const [app, acme] = [await docket(), await service(key)]
  const { connectionId } = ConnectionSettings.parse(await (await app.add(acme.url)).json())
  const change = async (value: string, anyway?: boolean) =>
    (await app.send('PATCH', `/api/connections/${connectionId}`, { key: { value }, anyway })).status
  acme.accept('adm_new')
  expect(await change('adm_wrong', false)).toBe(409)
  expect(await change('adm_wrong')).toBe(200)
  expect(await change('adm_also-wrong', true)).toBe(200)
  expect((await app.list())[0]?.keyHealth.check).toMatchObject({ outcome: 'rejected' })
  expect(await change('adm_new', false)).toBe(200)
  expect((await app.list())[0]?.keyHealth.check).toMatchObject({ outcome: 'proven' })
  // Nothing is sent for other settings.
  const calls = acme.seen.length
  const named = await app.send('PATCH', `/api/connections/${connectionId}`, { name: 'Other', anyway: false })
  expect([named.status, acme.seen.length]).toEqual([200, calls])
})
