import { access } from '#apps/bff/src/ground/http/access/access.ts'
import { exchange } from '#apps/bff/src/testing/exchange.ts'

/** A request of the crawler. `name` says what it tries. */
type Request = { name: string; method: string; target: string; headers: readonly string[] }

/** Addresses of Docket besides its API, and files that no site has. */
const others = `
  /setup /sign-in /hosted /link /here /livez /readyz /healthz /metrics /openapi.json
  /index.html /favicon.ico /robots.txt /assets/ /assets/index.js /page.js /docs /storage/x /preview/ /preview/x/
  /git/x.git/info/refs /git/x.git/git-upload-pack /.docket/ /.docket/open /.docket/open?ticket=x /.docket/release
  /.docket/violations /.well-known/security.txt /.env /.git/config
  /proc/self/environ /etc/passwd /data/artifacts /wp-login.php /server-status /actuator/env
`
  .trim()
  .split(/\s+/)

/** Spellings of an address that proxies and parsers read differently. */
const spell = (path: string): string[] => {
  const rest = path.slice(1)
  return [
    path,
    `/${path}`,
    `/.${path}`,
    `/x/..${path}`,
    `/%2e%2e${path}`,
    `/..%2f${rest}`,
    `/%2f${rest}`,
    `/..%5c${rest}`,
    `/\\${rest}`,
    `/%${rest.charCodeAt(0).toString(16)}${rest.slice(1)}`,
    `/%25${rest.charCodeAt(0).toString(16)}${rest.slice(1)}`,
    `${path.toUpperCase()}`,
    `${path}/`,
    `${path}%00`,
    `${path}%20`,
    `${path};x=y`,
    `${path}?x=/api/session`,
    `/p0.html/..${path}`,
    `/%c0%ae%c0%ae${path}`,
    `/index.html%3f${path}`,
  ]
}

/** Every request of the crawl to `host`, one of a hosted channel. `docket` is Docket's own host, and `sum` a bundle of the other site. */
export const buildRequests = (of: { host: string; docket: string; other: string; sum: string }): Request[] => {
  const { host, docket, other, sum } = of
  const api = Object.keys(access).map((route) => {
    const [method = 'GET', path = ''] = route.split(' ')
    return { method, path: path.replaceAll(/:\w+|\{\w+\}/g, '00000000-0000-4000-8000-000000000000').replace('*', 'x') }
  })
  const bundles = [
    `/bundles/sha256/${sum}/x.zip`,
    `/bundles/sha256/${sum}/x.tar.gz`,
    '/sites/docs-other-com/production/bundle.zip',
  ]
  const own = `Host: ${host}`
  const request = (name: string, method: string, target: string, ...headers: string[]): Request => ({
    name,
    method,
    target,
    headers: headers.some((header) => header.startsWith('Host')) ? headers : [own, ...headers],
  })
  const paths = ['/api/session', '/api/sites', '/readyz', '/setup'].concat(bundles)
  return [
    ...api.flatMap(({ method, path }) => [request('a route', method, path), request('a route', 'GET', path)]),
    ...[...others, ...bundles].map((path) => request('an address', 'GET', path)),
    ...paths.flatMap(spell).map((path) => request('a spelling', 'GET', path)),
    ...[
      'GET',
      'HEAD',
      'POST',
      'PUT',
      'PATCH',
      'DELETE',
      'OPTIONS',
      'TRACE',
      'CONNECT',
      'PROPFIND',
      'get',
      'DOCKET',
    ].flatMap((method) => ['/api/session', '/', '/words.js', '*'].map((path) => request('a method', method, path))),
    ...[host, docket, other, `user@${docket}`].flatMap((name) =>
      ['/api/session', '/', '/words.js'].flatMap((path) => [
        request('an absolute address', 'GET', `http://${name}${path}`),
        request('an absolute address', 'GET', `//${name}${path}`),
      ]),
    ),
    ...['/api/session', '/words.js'].flatMap((path) => [
      ...[docket, other, `127.0.0.1`, 'localhost'].flatMap((name) =>
        [
          'X-Forwarded-Host',
          'X-Host',
          'X-Original-Host',
          'X-Forwarded-Server',
          'X-HTTP-Host-Override',
          'Forwarded',
          ':authority',
        ].map((header) =>
          request('a header', 'GET', path, `${header}: ${header === 'Forwarded' ? `host=${name}` : name}`),
        ),
      ),
      ...['X-Original-URL', 'X-Rewrite-URL', 'X-Accel-Redirect', 'X-Forwarded-Prefix', 'X-Forwarded-Path'].map(
        (header) => request('a header', 'GET', '/', `${header}: ${path}`),
      ),
      ...[
        'X-HTTP-Method-Override: DELETE',
        'X-Docket: 1',
        `Origin: http://${docket}`,
        'Upgrade: websocket',
        'Expect: 100-continue',
      ].map((header) => request('a header', 'GET', path, header)),
      request('two hosts', 'GET', path, own, `Host: ${docket}`),
      request('two hosts', 'GET', path, `Host: ${docket}`, own),
      request('two hosts', 'GET', path, `Host: ${host}, ${docket}`),
      ...[host.toUpperCase(), `${host} `, `\t${host}`, host.replace(/:\d+$/, ':00080'), host.replace(/:\d+$/, '')].map(
        (name) => request('a spelling of the host', 'GET', path, `Host: ${name}`),
      ),
    ]),
  ]
}

/** An answer that a hosted hostname must not give. */
export type Reached = { request: Request; status: number; why: string }

/** Sends the requests with the session of an admin. `isOwnFile` knows the files of the site. `signIn`: where it may lead, besides its own addresses. */
export const crawl = async (
  port: number,
  requests: readonly Request[],
  of: { cookie: string; secrets: readonly string[]; signIn: RegExp | null; isOwnFile: (body: string) => boolean },
): Promise<Reached[]> => {
  const { cookie, secrets, signIn, isOwnFile } = of
  const reached: Reached[] = []
  const ask = async (request: Request) => {
    const { method, target, headers } = request
    const lines = [...headers, `Cookie: ${cookie}`, 'Connection: close']
    const bytes = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1')
    const { status, head, body, text, late } = await exchange(port, bytes, { whole: true })
    const wrong = (why: string) => void reached.push({ request, status, why })
    const location = /^location: (\S*)/im.exec(head)?.[1]
    if (late) wrong('no answer')
    // Docket refuses hosts that are neither its own nor those of a channel.
    if (status === 403 && request.name === 'a spelling of the host' && body.includes('"forbidden"')) return
    // Without a body, only the headers tell an answer of the app from a file.
    const isForeign = method !== 'HEAD' && !isOwnFile(body)
    if (isForeign && /^content-type: application\/json/im.test(head)) wrong('an answer of the API')
    if (/^x-request-id:/im.test(head)) wrong('an answer of the app')
    if (/^set-cookie: (?!__Host-docket-release=)/im.test(head)) wrong('a cookie')
    if (/^access-control-allow/im.test(head)) wrong('access for other origins')
    if (isForeign && status >= 200 && status < 300) wrong(`something else: ${body.slice(0, 60)}`)
    if (status === 101) wrong('a web socket')
    const isHere = location === undefined || /^\/(?![/\\])/.test(location)
    if (!isHere && signIn?.test(location) !== true) wrong(`a redirect to ${location}`)
    for (const secret of secrets) if (text.includes(secret)) wrong('a secret')
  }
  for (let at = 0; at < requests.length; at += 8) await Promise.all(requests.slice(at, at + 8).map(ask))
  return reached
}
