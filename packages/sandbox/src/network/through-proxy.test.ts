import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { startConnectProxy } from '@docket/outbound/testing/connect-proxy'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startAllowListProxy } from './allow-list-proxy.ts'

test('behind a proxy, the command reaches the listed names that only this proxy knows, and no others', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docket-proxy-'))
  const server = createServer((_, response) => response.end('a model'))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const proxy = await startConnectProxy()
  for (const name of ['HTTPS_PROXY', 'HTTP_PROXY']) vi.stubEnv(name, proxy.url)
  for (const name of ['model', 'other']) proxy.lead(`${name}.proxied.example:80`, port)
  const socketPath = join(folder, 'socket')
  const hosts = ['model.proxied.example', 'metadata.google.internal'].map((host) => ({ host, port: 80 }))
  const refusals: string[] = []
  const nobodyKnows = () => Promise.resolve([])
  const list = await startAllowListProxy(socketPath, { hosts, refused: [] }, (why) => refusals.push(why), nobodyKnows)
  onTestFinished(async () => {
    vi.unstubAllEnvs()
    list.close()
    server.closeAllConnections()
    server.close()
    await proxy.close()
    await rm(folder, { recursive: true, force: true })
  })
  const forward = (host: string) =>
    new Promise<string>((resolve, reject) => {
      const asked = request({ socketPath, path: `http://${host}/`, agent: false }, (answer) => resolve(text(answer)))
      asked.on('error', reject).end()
    })
  const tunnel = (host: string) =>
    new Promise<string>((resolve, reject) => {
      const asked = request({ socketPath, method: 'CONNECT', path: `${host}:80`, agent: false })
      asked.on('connect', ({ statusCode }, socket) => {
        if (statusCode !== 200) return resolve(String(statusCode))
        socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
        resolve(text(socket))
      })
      asked.on('error', reject).end()
    })
  expect(await forward('model.proxied.example')).toBe('a model')
  expect(await tunnel('model.proxied.example')).toContain('a model')
  for (const host of ['other.proxied.example', 'metadata.google.internal']) {
    expect(await forward(host)).toContain('Docket refused a connection')
    expect(await tunnel(host)).toBe('403')
  }
  expect(proxy.places).toEqual(['model.proxied.example:80', 'model.proxied.example:80'])
  expect(refusals).toHaveLength(2)
})
