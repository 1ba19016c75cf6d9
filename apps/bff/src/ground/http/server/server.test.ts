import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { startServer } from '#ground/http/server/server.ts'
import { createLog } from '#ground/log/log.ts'
import { rawRequest } from '#testing/raw-request.ts'

const log = createLog({ level: 'silent', destination: { write: () => {} } })

/** A server whose answer begins at once and ends when `finish` is called. */
const slowServer = async () => {
  let finish = () => {}
  const server = await startServer({
    host: '127.0.0.1',
    port: 0,
    log,
    fetch: () => {
      const body = new ReadableStream<Uint8Array>({
        start: (stream) => {
          stream.enqueue(new TextEncoder().encode('begun '))
          finish = () => {
            stream.enqueue(new TextEncoder().encode('done'))
            stream.close()
          }
        },
      })
      return new Response(body)
    },
  })
  return { ...server, url: `http://127.0.0.1:${server.port}/`, finish: () => finish() }
}

test('a stop lets a download in progress finish and accepts no new connection', async () => {
  const server = await slowServer()
  const response = await fetch(server.url)
  const stopped = server.stop(60_000)
  await expect(fetch(server.url)).rejects.toThrow()
  server.finish()
  expect(await response.text()).toBe('begun done')
  await stopped
})

test('a download that outlasts the grace period is cut off', async () => {
  const server = await slowServer()
  const response = await fetch(server.url)
  await server.stop(50)
  await expect(response.text()).rejects.toThrow()
})

test('a connection without a request does not delay the stop', async () => {
  const server = await slowServer()
  const socket = connect(server.port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  const closed = once(socket, 'close')
  await server.stop(60_000)
  socket.resume()
  await closed
})

test('pipelined requests within the limit are answered in order, then one is refused and the connection closes', async () => {
  const urls: string[] = []
  const server = await startServer({
    host: '127.0.0.1',
    port: 0,
    log,
    fetch: (request) => {
      urls.push(new URL(request.url).pathname)
      return new Response(`answer to ${urls.at(-1)}`)
    },
  })
  const paths = Array.from({ length: 50 }, (_, nth) => `/${nth}`)
  const answer = await rawRequest(
    server.port,
    paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(''),
  )
  expect(answer.match(/(?<=answer to )\S+?(?=HTTP|$)/g)).toEqual(paths.slice(0, 16))
  expect(urls).toEqual(paths.slice(0, 16))
  const refusal = answer.slice(answer.lastIndexOf('HTTP/1.1'))
  expect(refusal).toMatch(/^HTTP\/1\.1 429 [^]*\r\nretry-after: 1\r\n/i)
  expect(refusal).toMatch(/\r\nconnection: close\r\n/i)
  await server.stop(0)
})

test('a port in use is reported with an instruction', async () => {
  const server = await slowServer()
  const second = startServer({ host: '127.0.0.1', port: server.port, log, fetch: () => new Response() })
  await expect(second).rejects.toThrow(`Port ${server.port} on 127.0.0.1 is already in use.`)
  await server.stop(0)
})

const takeOnIpv6 = async () => {
  const other = createServer()
  const port = await new Promise<number | null>((resolve) => {
    other.once('error', () => resolve(null))
    other.listen(0, '::1', () => resolve((other.address() as AddressInfo).port))
  })
  return { port, close: () => other.close() }
}

test('one server answers on both loopback addresses, and frees both when it stops', async ({ skip }) => {
  const { port: free, close } = await takeOnIpv6()
  close()
  skip(free === null, 'this machine has no IPv6')
  for (const host of ['127.0.0.1', '::1', 'localhost']) {
    const server = await startServer({ host, both: true, port: 0, log, fetch: () => new Response('here') })
    const addresses = ['127.0.0.1', '[::1]'].map((name) => `http://${name}:${server.port}/`)
    for (const address of addresses) expect(await (await fetch(address)).text()).toBe('here')
    await server.stop(60_000)
    for (const address of addresses) await expect(fetch(address)).rejects.toThrow()
  }
})

test('if another program uses the port on the other address, the server does not start', async ({ skip }) => {
  const { port, close } = await takeOnIpv6()
  skip(port === null, 'this machine has no IPv6')
  const start = () => startServer({ host: '127.0.0.1', both: true, port: port!, log, fetch: () => new Response() })
  await expect(start()).rejects.toThrow(`Port ${port} on ::1 is already in use.`)
  close()
  await (await start()).stop(0)
})
