import type { IncomingMessage } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { describeProblem } from '#bundles/storing/storing-problem.ts'
import { parseBundleGrant } from '#service/admin-api/wire/wire.ts'
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

test('a redirect to a listed host is followed without credentials, from the host of the API or of the storage', async () => {
  const other = await storage(() => ({}))
  const { port } = new URL(other.url)
  for (const location of [`${other.url}/b./../bundle?sig=1`, `//127.0.0.1:${port}/bundle`]) {
    const own = await storage(() => ({ status: 307, location }))
    const answer = await fetcher(own.url, [`127.0.0.1:${port}`]).get(`${own.url}/1`, { range: 'bytes=0-9' }, signal)
    expect(answer.status).toBe(200)
    answer.body.destroy()
  }
  expect(other.paths()).toEqual(['/b./../bundle?sig=1', '/bundle'])
  for (const { headers } of other.heard) {
    expect(headers.host).toBe(`127.0.0.1:${port}`)
    expect(Object.keys(headers)).not.toContain('authorization')
  }
})

test('a redirect to an unlisted host is refused with the setting to change', async () => {
  const other = await storage(() => ({}))
  const { port } = new URL(other.url)
  for (const [location, told] of [
    [`${other.url}/bundle`, `add 127.0.0.1:${port} to BUNDLE_HOSTS`],
    ['https://bucket.example.com/x', 'bucket.example.com is not in BUNDLE_HOSTS'],
    ['https://169.254.169.254/latest', 'BUNDLE_HOSTS'],
    ['http://[', 'it is not an address'],
  ] as const) {
    const own = await storage(() => ({ location }))
    await expect(fetcher(own.url).get(`${own.url}/1`, {}, signal)).rejects.toThrow(told)
    expect(own.paths()).toEqual(['/1'])
  }
  expect(other.heard).toEqual([])
})

test('a redirect without a web address is not followed', async () => {
  for (const location of ['file:///etc/passwd', undefined]) {
    const own = await storage(() => (location === undefined ? {} : { location }))
    const answer = await fetcher(own.url).get(`${own.url}/1`, {}, signal)
    expect(answer.status).toBe(302)
    answer.body.destroy()
  }
})

test('the target of a redirect must pass the same rules as a link', async () => {
  const { url, paths } = await storage(() => ({ location: `${url.replace('http://', 'http://user:pass@')}/bundle` }))
  await expect(fetcher(url).get(`${url}/1`, {}, signal)).rejects.toMatchObject({ code: 'upstream_unexpected' })
  expect(paths()).toEqual(['/1'])
})

const echoed: [link: string, line: string][] = [
  ...[
    '/objects/x/./y/../z//b',
    '/../x',
    '/.',
    '/..',
    '/a/%2e%2e/b',
    '/a/%2E/b',
    '/a\\b',
    '/a/..\\b',
    '//a//b//',
    '/a;v=1/b',
    '/%20x',
    '/+x?a=+b',
    '/[x]?a[]=1',
    "/it's",
    '/`x`',
    '/%e2%82%ac',
    '/%E2%82%ac',
    '/%zz',
    '/100%',
    '/a|b^c',
    '/{x}?y={z}',
    '/<x>?<y>',
    '/"x"?name="y"',
    '/x?',
    '/x??',
    '/x?a=1&a=1&&',
    '/x?a=b=c==',
    '/x?sig=a%2Fb%2B%3D',
    '/x?sig=a/b+=',
    '/x?a=%00',
    '/x?url=https://a.example/?b=c',
    '/x?a=./../b',
    '/x:80@y',
    '/!$&()*,;=~-_',
    `/${'long'.repeat(1_000)}`,
  ].map((path): [string, string] => [path, path]),
  ['/x#fragment', '/x'],
  ['/x?a=1#?b', '/x?a=1'],
  ['', '/'],
  ['?a=1', '/?a=1'],
  ['/a b?c= d', '/a%20b?c=%20d'],
  ['/döcs/😀?ü=ß', '/d%C3%B6cs/%F0%9F%98%80?%C3%BC=%C3%9F'],
]

test.each(echoed)('the request line of the link %s has its path and query as they were written', async (link, line) => {
  const { url, paths } = await storage(() => ({}))
  const fetch = fetcher(url)
  const { bundleUrl = '' } = parseBundleGrant({ bundleUrl: url + link }, url) ?? {}
  const answer = await fetch.get(bundleUrl, {}, signal)
  answer.body.destroy()
  expect(paths()).toEqual([line])
  expect(fetch.checkLink(bundleUrl)).toBe(url + line)
})

test.each(['\r', '\n', '\0', '\t', '\r\nHost: evil.example'])(
  'a link with the control character %j is refused once and for all',
  async (control) => {
    const { url, heard } = await storage(() => ({}))
    const { bundleUrl = '' } = parseBundleGrant({ bundleUrl: `${url}/a${control}b` }, url) ?? {}
    const failure: unknown = await fetcher(url)
      .get(bundleUrl, {}, signal)
      .catch((error: unknown) => error)
    expect(failure).toMatchObject({
      code: 'upstream_unexpected',
      message: expect.stringContaining('control character'),
    })
    expect(describeProblem(failure).retrying).toBeNull()
    expect(heard).toEqual([])
  },
)
