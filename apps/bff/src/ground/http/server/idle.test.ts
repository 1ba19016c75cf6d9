import { once } from 'node:events'
import { connect } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import { expect, test } from 'vitest'
import { startServer } from '#ground/http/server/server.ts'
import { createLog } from '#ground/log/log.ts'
import { rawRequest } from '#testing/raw-request.ts'

const log = createLog({ level: 'silent', destination: { write: () => {} } })
const stalledMs = 50

/** A server that gives up on connections without traffic after `stalledMs`. `answer` runs once a request has come. */
const impatientServer = (answer: (env: HttpBindings, request: Request) => Promise<Response>) =>
  startServer({ host: '127.0.0.1', port: 0, log, stalledMs, fetch: (request, env) => answer(env, request) })

const hasBeenIdle = ({ incoming }: HttpBindings) => once(incoming.socket, 'timeout')

test('a client that waits for Docket gets its response, however long Docket takes', async () => {
  const server = await impatientServer(async (env) => {
    await hasBeenIdle(env)
    return new Response('done')
  })
  const response = await fetch(`http://127.0.0.1:${server.port}/`)
  expect(await response.text()).toBe('done')
  await server.stop(0)
})

test('a client that waits for the rest of a response gets it', async () => {
  const server = await impatientServer((env) => {
    const body = new ReadableStream<Uint8Array>({
      start: async (stream) => {
        stream.enqueue(Buffer.from('begun '))
        await hasBeenIdle(env)
        stream.enqueue(Buffer.from('done'))
        stream.close()
      },
    })
    return Promise.resolve(new Response(body))
  })
  const response = await fetch(`http://127.0.0.1:${server.port}/`)
  expect(await response.text()).toBe('begun done')
  await server.stop(0)
})

test.each([
  ['sends nothing', ''],
  ['sends no more of its body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf'],
])('a client that %s is disconnected', async (_, bytes) => {
  const server = await impatientServer(async (_env, request) => new Response(await request.text()))
  await rawRequest(server.port, bytes)
  await server.stop(0)
})

test('a client that does not read its response is disconnected, even after a slow response', async () => {
  const { promise: cut, resolve } = Promise.withResolvers<unknown>()
  const server = await impatientServer(async (env) => {
    env.incoming.socket.once('close', resolve)
    await hasBeenIdle(env)
    return new Response(Buffer.alloc(64 * 1024 * 1024))
  })
  const socket = connect(server.port, '127.0.0.1').pause()
  socket.on('error', () => {})
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  await cut
  socket.destroy()
  await server.stop(0)
})
