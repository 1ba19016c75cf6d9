import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { startServer } from '#http/server/server.ts'
import { createLog } from '#log.ts'

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

test('stopping lets a download in flight finish and takes no new connection', async () => {
  const server = await slowServer()
  const response = await fetch(server.url)
  const stopped = server.stop(60_000)
  await expect(fetch(server.url)).rejects.toThrow()
  server.finish()
  expect(await response.text()).toBe('begun done')
  await stopped
})

test('a download that does not end within the grace is cut', async () => {
  const server = await slowServer()
  const response = await fetch(server.url)
  await server.stop(50)
  await expect(response.text()).rejects.toThrow()
})

test('a connection that never asked for anything does not hold the stop back', async () => {
  const server = await slowServer()
  const socket = connect(server.port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  const closed = once(socket, 'close')
  await server.stop(60_000)
  socket.resume()
  await closed
})

test('a port that is taken is reported with what to do', async () => {
  const server = await slowServer()
  const second = startServer({ host: '127.0.0.1', port: server.port, log, fetch: () => new Response() })
  await expect(second).rejects.toThrow(`Port ${server.port} on 127.0.0.1 is already in use.`)
  await server.stop(0)
})
