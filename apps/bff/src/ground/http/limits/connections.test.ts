import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { limitConnections, type ConnectionLimits } from '#ground/http/limits/connections.ts'
import { createLog } from '#ground/log/log.ts'

/** A server that answers at once, but for `/held`, which it keeps in `held`. */
const limited = async (limits: Partial<ConnectionLimits>, { manyPeople = false } = {}) => {
  const lines: string[] = []
  const log = createLog({ level: 'warn', destination: { write: (line) => void lines.push(line) } })
  const responses: ServerResponse[] = []
  const server = createServer((request, response) => {
    if (!connections.begin(request, response)) return
    if (request.url === '/held') responses.push(response)
    else request.resume().on('end', () => response.end('answered'))
  })
  const connections = limitConnections(server, {
    bringsMany: () => manyPeople,
    refuse: (response) => response.writeHead(429, { Connection: 'close' }).end('refused'),
    log,
    limits,
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close().closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  const open = async (bytes = '') => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    let answer = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk))
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    await once(socket, 'connect')
    socket.write(bytes)
    return {
      socket,
      closed,
      answer: () => answer,
    }
  }
  const ask = async () => {
    const client = await open('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    await client.closed
    return client.answer()
  }
  const countOpen = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)))
  return { open, ask, responses, countOpen, logged: () => lines }
}

const begunHead = 'GET / HTTP/1.1\r\nHost: a\r\nX: '
const begunBody = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{'
const finished = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'

test.each([
  ['say nothing', ''],
  ['never end their headers', begunHead],
  ['never end their body', begunBody],
  ['keep a connection they do not use', finished],
])(
  'at the limit, connections of clients who %s are closed for new ones, the longest-waiting first',
  async (_, bytes) => {
    const { open, ask, countOpen, logged } = await limited({ max: 8, maxPerNetwork: 100 })
    const slow = []
    for (let number = 0; number < 8; number += 1) slow.push(await open(bytes))
    await expect.poll(countOpen).toBe(8)
    for (let number = 0; number < 4; number += 1) expect(await ask()).toMatch(/^HTTP\/1\.1 200 /)
    await slow[0]!.closed
    expect(slow.map(({ socket }) => socket.closed)).toEqual([true, false, false, false, false, false, false, false])
    expect(logged()).toHaveLength(1)
  },
)

test('a request in progress is never cut off: if no connection is idle, the new one is refused', async () => {
  const { open, ask, responses } = await limited({ max: 3, maxPerNetwork: 100 })
  const clients = []
  for (let number = 0; number < 3; number += 1)
    clients.push(await open('GET /held HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'))
  await expect.poll(() => responses.length).toBe(3)
  expect(await ask()).toBe('')
  for (const response of responses) response.end('answered')
  for (const { closed } of clients) await closed
  expect(clients.map(({ answer }) => answer().split(' ')[1])).toEqual(['200', '200', '200'])
  expect(await ask()).toMatch(/^HTTP\/1\.1 200 /)
})

test('one network cannot open more than its share of connections', async () => {
  const { open, ask, countOpen } = await limited({ max: 100, maxPerNetwork: 4 })
  const slow = []
  for (let number = 0; number < 9; number += 1) slow.push(await open(begunHead))
  for (const { closed } of slow.slice(0, 5)) await closed
  expect(await ask()).toMatch(/^HTTP\/1\.1 200 /)
  await expect.poll(countOpen).toBeLessThanOrEqual(4)
})

test('a trusted proxy is exempt from the limit per network', async () => {
  const { open, countOpen } = await limited({ max: 100, maxPerNetwork: 4 }, { manyPeople: true })
  const clients = []
  for (let number = 0; number < 9; number += 1) clients.push(await open(begunHead))
  await expect.poll(countOpen).toBe(9)
  expect(clients.some(({ socket }) => socket.closed)).toBe(false)
})

test('a closed connection no longer counts', async () => {
  const { open, ask, countOpen } = await limited({ max: 100, maxPerNetwork: 2 })
  for (let round = 0; round < 5; round += 1) {
    const clients = [await open(begunBody), await open(finished)]
    for (const { socket, closed } of clients) {
      socket.destroy()
      await closed
    }
    await expect.poll(countOpen).toBe(0)
  }
  const [one, two] = [await open(begunHead), await open(begunHead)]
  await expect.poll(countOpen).toBe(2)
  expect([one.socket.closed, two.socket.closed]).toEqual([false, false])
  expect(await ask()).toMatch(/^HTTP\/1\.1 200 /)
})

test('a connection with too many concurrent requests answers those within the limit, refuses one, and closes', async () => {
  const { open, responses } = await limited({ maxAtOnce: 4 })
  const polite = await open('GET /held HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(4))
  await expect.poll(() => responses.length).toBe(4)
  const greedy = await open('GET /held HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(400))
  await expect.poll(() => responses.length).toBe(8)
  expect(greedy.answer()).toBe('')
  responses.slice(4).forEach((response, place) => response.end(`answer ${place}`))
  await greedy.closed
  expect(greedy.answer().match(/answer \d|refused/g)).toEqual([
    'answer 0',
    'answer 1',
    'answer 2',
    'answer 3',
    'refused',
  ])
  expect(responses).toHaveLength(8)
  expect(polite.socket.closed).toBe(false)
})

test('a client that keeps sending after its refusal is disconnected', async () => {
  const { open, responses } = await limited({ maxAtOnce: 1 })
  const greedy = await open('GET /held HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2_000))
  await greedy.closed
  expect(responses).toHaveLength(1)
})
