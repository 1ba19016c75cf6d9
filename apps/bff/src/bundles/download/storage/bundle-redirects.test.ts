import type { IncomingMessage } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { standInServer } from '#testing/stand-in-server.ts'
import { createBundleFetch } from './bundle-fetch.ts'

const { signal } = new AbortController()

/** A storage that answers `/1`, `/2` … with `redirect` of the number, and everything else with a bundle. */
const storage = async (redirect: (number: number) => { status?: number; location?: string }) => {
  const heard: IncomingMessage[] = []
  const server = await standInServer((request, response) => {
    heard.push(request)
    const number = Number(request.url?.slice(1))
    if (Number.isNaN(number)) return void response.end('bundle')
    const { status = 302, location } = redirect(number)
    response.writeHead(status, location === undefined ? {} : { location }).end('moved')
  })
  onTestFinished(server.close)
  return { ...server, heard, paths: () => heard.map(({ url }) => url) }
}

const fetcher = (adminOrigin: string, hosts: string[] = []) => {
  const fetch = createBundleFetch({ adminOrigin, hosts, timeouts: { connectMs: 2000, headersMs: 2000, bodyMs: 2000 } })
  onTestFinished(fetch.close)
  return fetch
}

test('up to three redirects within the same origin are followed, with the same headers and no credentials', async () => {
  for (const status of [301, 302, 303, 307, 308]) {
    const { url, heard, paths } = await storage((number) => ({
      status,
      location: number === 1 ? `${url}/2` : number === 3 ? '/bundle?sig=1#part' : '3',
    }))
    const answer = await fetcher(url).get(`${url}/1`, { range: 'bytes=0-9' }, signal)
    expect(answer.status).toBe(200)
    answer.body.destroy()
    expect(paths()).toEqual(['/1', '/2', '/3', '/bundle?sig=1'])
    for (const { headers } of heard) {
      expect(headers.range).toBe('bytes=0-9')
      expect(Object.keys(headers).toSorted()).toEqual([
        'accept',
        'accept-encoding',
        'connection',
        'host',
        'range',
        'user-agent',
      ])
    }
  }
})

test('a fourth redirect is not followed', async () => {
  const { url, paths } = await storage((number) => ({ location: `/${number + 1}` }))
  const answer = await fetcher(url).get(`${url}/1`, {}, signal)
  expect(answer.status).toBe(302)
  answer.body.destroy()
  expect(paths()).toEqual(['/1', '/2', '/3', '/4'])
})

test('a redirect to another origin, or without a target, is not followed', async () => {
  const other = await storage(() => ({}))
  const { port } = new URL(other.url)
  for (const location of [
    `${other.url}/bundle`,
    `//127.0.0.1:${port}/bundle`,
    `http://localhost:${port}/bundle`,
    'https://169.254.169.254/latest',
    'file:///etc/passwd',
    'http://[',
    undefined,
  ]) {
    const own = await storage(() => (location === undefined ? {} : { location }))
    // Even where the other host is allowed as the target of a link.
    const answer = await fetcher(own.url, [`127.0.0.1:${port}`, `localhost:${port}`]).get(`${own.url}/1`, {}, signal)
    expect(answer.status).toBe(302)
    answer.body.destroy()
    expect(own.paths()).toEqual(['/1'])
  }
  expect(other.heard).toEqual([])
})

test('the target of a redirect must pass the same rules as a link', async () => {
  const { url, paths } = await storage(() => ({ location: `${url.replace('http://', 'http://user:pass@')}/bundle` }))
  await expect(fetcher(url).get(`${url}/1`, {}, signal)).rejects.toMatchObject({ code: 'upstream_unexpected' })
  expect(paths()).toEqual(['/1'])
})
