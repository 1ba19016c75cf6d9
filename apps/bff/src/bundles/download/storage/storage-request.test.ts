import { createHash, randomBytes } from 'node:crypto'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { createServer as createSecureServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { localhostCertificate } from '@docket/code-hosts/testing/certificate'
import { createBundleFetch } from './bundle-fetch.ts'

const signal = new AbortController().signal
const archive = randomBytes(5_000_000)
const sum = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
setDefaultCACertificates([...getCACertificates('default'), localhostCertificate.cert])

/** A server that writes what it likes as soon as it was asked, and a client for it. */
const storage = async (
  answer: (socket: Socket) => void,
  { secure = false, host = 'localhost', bodyMs = 5_000, headersMs = 5_000 } = {},
) => {
  const onConnection = (socket: Socket) => {
    socket.on('error', () => {}).once('data', () => answer(socket))
    sockets.push(socket)
  }
  const sockets: Socket[] = []
  const server = secure ? createSecureServer(localhostCertificate, onConnection) : createServer(onConnection)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const fetch = createBundleFetch({
    adminOrigin: 'http://127.0.0.1:1',
    hosts: [`${host}:${port}`],
    timeouts: { connectMs: 5_000, headersMs, bodyMs },
  })
  onTestFinished(async () => {
    await fetch.close()
    for (const socket of sockets) socket.destroy()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  })
  return {
    get: () => fetch.get(`http${secure ? 's' : ''}://${host}:${port}/x?sig=s3cret`, {}, signal),
    fetch,
    sockets,
  }
}

const head = (more: string, status = '200 OK') => `HTTP/1.1 ${status}\r\n${more}\r\n`

const chunked = (bytes: Buffer): Buffer => {
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += 70_000) {
    const piece = bytes.subarray(at, at + 70_000)
    pieces.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'))
  }
  return Buffer.concat([...pieces, Buffer.from('0\r\n\r\n')])
}

type Framing = [string, (socket: Socket) => void]
const framings: Framing[] = [
  ['a length', (socket) => (socket.write(head(`Content-Length: ${archive.length}\r\n`)), socket.write(archive))],
  ['chunks', (socket) => (socket.write(head('Transfer-Encoding: chunked\r\n')), socket.write(chunked(archive)))],
  ['the end of the connection', (socket) => (socket.write(head('')), socket.end(archive))],
]

test.each(framings.flatMap(([name, answer]) => [false, true].map((secure) => ({ name, answer, secure }))))(
  'a body framed by $name comes whole (TLS: $secure), and no piece changes while it is held',
  async ({ answer, secure }) => {
    const { get } = await storage(answer, { secure })
    const { status, body } = await get()
    const hash = createHash('sha256')
    let pieces = 0
    for await (const piece of body) {
      const before = sum(piece)
      // Long enough for the socket to fill everything else it has.
      if (pieces++ % 8 === 0) await delay(5)
      expect(sum(piece)).toBe(before)
      hash.update(piece)
    }
    expect([status, hash.digest('hex')]).toEqual([200, sum(archive)])
  },
)

test('an untrusted certificate fails the request, with advice for the operator', async () => {
  setDefaultCACertificates(getCACertificates('bundled'))
  onTestFinished(() => setDefaultCACertificates([...getCACertificates('bundled'), localhostCertificate.cert]))
  const { get } = await storage((socket) => socket.write(head('Content-Length: 0\r\n')), { secure: true })
  await expect(get()).rejects.toThrow('NODE_EXTRA_CA_CERTS')
})

test('a storage addressed by IP must have that IP in its certificate, and no server name is sent to it', async () => {
  const warnings: Error[] = []
  const onWarning = (warning: Error) => void warnings.push(warning)
  process.on('warning', onWarning)
  onTestFinished(() => void process.off('warning', onWarning))
  const byName = await storage((socket) => socket.write(`${head('Content-Length: 4\r\n')}body`), {
    secure: true,
    host: '127.0.0.1',
  })
  expect((await read((await byName.get()).body)).toString()).toBe('body')
  const other = await storage(() => {}, { secure: true, host: '127.0.0.2' })
  await expect(other.get()).rejects.toMatchObject({ code: 'upstream_unavailable' })
  expect(warnings).toEqual([])
})

const read = async (body: AsyncIterable<Uint8Array>, pieces: Uint8Array[] = []) => {
  for await (const piece of body) pieces.push(Uint8Array.from(piece))
  return Buffer.concat(pieces)
}

test('bytes beyond the announced length are not delivered', async () => {
  const { get } = await storage((socket) => {
    socket.write(head('Content-Length: 4000000\r\n'))
    socket.write(archive)
  })
  expect((await read((await get()).body)).equals(archive.subarray(0, 4_000_000))).toBe(true)
  const atOnce = await storage((socket) => socket.write(`${head('Content-Length: 4\r\n')}body and more`))
  expect((await read((await atOnce.get()).body)).toString()).toBe('body')
})

test.each([
  ['a length', head('Content-Length: 1000000\r\n')],
  ['chunks', `${head('Transfer-Encoding: chunked\r\n')}f4240\r\n`],
])('a body that ends too early delivers what arrived, and then fails (%s)', async (_, beginning) => {
  const { get } = await storage((socket) => (socket.write(beginning), socket.end(archive.subarray(0, 300_000))))
  const pieces: Uint8Array[] = []
  await expect(read((await get()).body, pieces)).rejects.toThrow()
  expect(Buffer.concat(pieces).equals(archive.subarray(0, 300_000))).toBe(true)
})

test('a body of a hundred thousand tiny chunks is delivered in far fewer pieces', async () => {
  const { get } = await storage((socket) => {
    socket.write(head('Transfer-Encoding: chunked\r\n') + '8\r\nx bytes.\r\n'.repeat(100_000))
    socket.end('0\r\n\r\n')
  })
  const pieces: Uint8Array[] = []
  expect((await read((await get()).body, pieces)).toString()).toBe('x bytes.'.repeat(100_000))
  expect(pieces.length).toBeLessThan(1_000)
})

test('an empty body, and a body that arrives together with its headers, are complete', async () => {
  const empty = await storage((socket) => socket.write(head('Content-Length: 0\r\n')))
  expect(await read((await empty.get()).body)).toHaveLength(0)
  const small = await storage((socket) => socket.write(`${head('Content-Length: 4\r\n')}body`))
  expect((await read((await small.get()).body)).toString()).toBe('body')
  const none = await storage((socket) => socket.write(head('', '204 No Content')))
  expect(await read((await none.get()).body)).toHaveLength(0)
})

test('headers may arrive byte by byte, and after an early hint', async () => {
  const { get } = await storage(async (socket) => {
    socket.setNoDelay(true)
    for (const byte of `${head('Link: </x>\r\n', '103 Early Hints')}${head('ETag: "v1"\r\nContent-Length: 4\r\n')}body`) {
      socket.write(byte)
      await delay(0)
    }
  })
  const answer = await get()
  expect([answer.status, answer.header('etag')]).toEqual([200, '"v1"'])
  expect((await read(answer.body)).toString()).toBe('body')
})

test.each([
  ['no HTTP at all', (socket: Socket) => socket.write('220 smtp.example.com ESMTP\r\n')],
  ['the connection closed', (socket: Socket) => socket.end()],
  ['headers without end', (socket: Socket) => socket.write(head(`X: ${'x'.repeat(40_000)}\r\n`))],
  [
    'another protocol',
    (socket: Socket) => socket.write(head('Upgrade: x\r\nConnection: upgrade\r\n', '101 Switching')),
  ],
  ['two lengths', (socket: Socket) => socket.write(`${head('Content-Length: 4\r\nContent-Length: 5\r\n')}body`)],
  ['a length that is none', (socket: Socket) => socket.write(`${head('Content-Length: -4\r\n')}body`)],
  ['a coding nobody asked for', (socket: Socket) => socket.write(head('Transfer-Encoding: gzip, chunked\r\n'))],
  [
    'a length and chunks',
    (socket: Socket) => socket.write(`${head('Content-Length: 4\r\nTransfer-Encoding: chunked\r\n')}0\r\n\r\n`),
  ],
])('%s is a failure without the link in it, and the connection is gone', async (_, answer) => {
  const { get, sockets } = await storage(answer)
  const error = await get().then(
    () => null,
    (failure: Error) => failure,
  )
  expect(error).toMatchObject({ code: 'upstream_unavailable' })
  expect(`${error?.message} ${String(error?.cause)} ${error?.stack}`).not.toContain('s3cret')
  await expect.poll(() => sockets.every(({ destroyed }) => destroyed)).toBe(true)
})

test('a storage that sends endless early hints is cut off', async () => {
  let pushed = 0
  const hints = head('Link: </x>\r\n', '103 Early Hints').repeat(1_000)
  const { get } = await storage((socket) => {
    const more = () => void (socket.destroyed || (socket.write(hints, more), (pushed += hints.length)))
    more()
  })
  await expect(get()).rejects.toMatchObject({ code: 'upstream_unavailable' })
  expect(pushed).toBeLessThan(50_000_000)
})

test('headers that trickle in cause a time-out even if bytes keep arriving', async () => {
  const { get } = await storage(
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nX: ')
      const trickle = setInterval(() => socket.write('x'), 20)
      socket.once('close', () => clearInterval(trickle))
    },
    { headersMs: 300 },
  )
  await expect(get()).rejects.toMatchObject({ code: 'upstream_timeout' })
})

test.each(framings)(
  'a storage that stops in the middle of a body causes a time-out for the waiting reader (%s)',
  async (name) => {
    const beginnings: Record<string, string> = {
      'a length': head('Content-Length: 10\r\n'),
      chunks: `${head('Transfer-Encoding: chunked\r\n')}a\r\n`,
    }
    const { get } = await storage((socket) => socket.write(`${beginnings[name] ?? head('')}body`), { bodyMs: 100 })
    await expect(read((await get()).body)).rejects.toMatchObject({ code: 'UND_ERR_BODY_TIMEOUT' })
  },
)

test('a slow reader causes no time-out, and slows down the storage meanwhile', async () => {
  const { get, sockets } = await storage(framings[0]![1], { bodyMs: 50 })
  const pieces: Uint8Array[] = []
  for await (const piece of (await get()).body) {
    pieces.push(Uint8Array.from(piece))
    if (pieces.length === 1) await delay(200)
  }
  expect(sum(Buffer.concat(pieces))).toBe(sum(archive))
  await expect.poll(() => sockets.every(({ destroyed }) => destroyed)).toBe(true)
})

test('closing ends every connection, and a body still being read fails', async () => {
  const { get, fetch, sockets } = await storage((socket) => socket.write(`${head('Content-Length: 10\r\n')}body`))
  const reading = read((await get()).body)
  await fetch.close()
  await expect(reading).rejects.toThrow()
  await expect.poll(() => sockets.every(({ destroyed }) => destroyed)).toBe(true)
})
