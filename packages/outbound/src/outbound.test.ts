import { createServer } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { allowAllButMetadata, allowPublicAnd } from './addresses.ts'
import { checkedLookup, fetchOnce, ForbiddenAddress, createOutboundAgent } from './outbound.ts'

const answerWith =
  (...addresses: string[]): LookupFunction =>
  (_name, { all }, done) => {
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    return all === true ? done(null, found) : done(null, found[0]!.address, found[0]!.family)
  }

const openServer = async (body = 'hello') => {
  const server = createServer((_, response) => response.end(body))
  let connections = 0
  server.on('connection', () => (connections += 1))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, connections: () => connections }
}

const openAgent = (options: Omit<Parameters<typeof createOutboundAgent>[0], 'connectMs'>) => {
  const agent = createOutboundAgent({ connectMs: 5_000, ...options })
  onTestFinished(() => agent.destroy())
  return agent
}

test('a name with a metadata service among its addresses is not resolved', async () => {
  const resolve =
    (...addresses: string[]) =>
    (all: boolean) =>
      new Promise((done) =>
        checkedLookup({ allows: allowAllButMetadata, lookup: answerWith(...addresses) })(
          's3.example.com',
          { all },
          (error, result) => done(error?.code ?? result),
        ),
      )
  expect(await resolve('10.0.0.1', '169.254.169.254')(true)).toBe('ERR_METADATA_ADDRESS')
  expect(await resolve('169.254.169.254')(false)).toBe('ERR_METADATA_ADDRESS')
  expect(await resolve('10.0.0.1')(false)).toBe('10.0.0.1')
  expect(await resolve('10.0.0.1')(true)).toEqual([{ address: '10.0.0.1', family: 4 }])
})

test('a connection is opened only to allowed addresses, whether by IP address or by name', async () => {
  const { port, connections } = await openServer()
  const ask = (host: string, ...addresses: string[]) =>
    fetchOnce(openAgent({ allows: allowPublicAnd({}), lookup: answerWith(...addresses) }), `http://${host}:${port}/`, {
      maxBytes: 10,
    }).catch((error: Error) => error.cause)
  for (const refused of [
    await ask('127.0.0.1'),
    await ask('[::ffff:127.0.0.1]'),
    await ask('docs.test', '127.0.0.1'),
    await ask('docs.test', '93.184.216.34', '127.0.0.1'),
    await ask('docs.test'),
  ])
    expect(refused).toBeInstanceOf(ForbiddenAddress)
  expect(connections()).toBe(0)
})

test('when forbidden addresses are to be skipped, the allowed addresses of a name are used', async () => {
  const { port, connections } = await openServer()
  const allows = allowPublicAnd({ kinds: ['loopback'] })
  const agent = openAgent({ allows, skipsForbidden: true, lookup: answerWith('169.254.169.254', '127.0.0.1') })
  expect(await fetchOnce(agent, `http://docs.test.:${port}/`, { maxBytes: 10 })).toMatchObject({ status: 200 })
  expect(connections()).toBe(1)
})

test('connections are reused, except by the HTTP agent for writes', async () => {
  const { port, connections } = await openServer()
  const allows = allowPublicAnd({ kinds: ['loopback'] })
  const askTwice = async (agent: ReturnType<typeof openAgent>) => {
    for (const path of ['a', 'b']) {
      await fetchOnce(agent, `http://127.0.0.1:${port}/${path}`, { maxBytes: 10 })
      // A connection is free a turn after its answer.
      await setImmediate()
    }
  }
  await askTwice(openAgent({ allows }))
  expect(connections()).toBe(1)
  await askTwice(openAgent({ allows, pipelining: 0 }))
  expect(connections()).toBe(3)
})

test('a response larger than the limit is not read', async () => {
  const { port } = await openServer('x'.repeat(11))
  const agent = openAgent({ allows: allowPublicAnd({ kinds: ['loopback'] }) })
  expect(await fetchOnce(agent, `http://127.0.0.1:${port}/`, { maxBytes: 10 })).toBeNull()
  expect((await fetchOnce(agent, `http://127.0.0.1:${port}/`, { maxBytes: 11 }))?.body.length).toBe(11)
})
