import { createServer, type IncomingMessage } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** A certificate of all names below `proxied.example` that only tests trust, valid for a hundred years. The key protects nothing. */
export const proxiedCertificate = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBtzCCAVygAwIBAgIUQ6woGx0qaYleBIjqIwgsxJwN39owCgYIKoZIzj0EAwIw
FzEVMBMGA1UEAwwMZG9ja2V0IHRlc3RzMCAXDTI2MTEyOTE1MTUxMloYDzIxMjYx
MTA1MTUxNTEyWjAXMRUwEwYDVQQDDAxkb2NrZXQgdGVzdHMwWTATBgcqhkjOPQIB
BggqhkjOPQMBBwNCAATljLuylGq0n9VSSRfksPXxq9OQTXQxh9sP2ybjJ3SjjpHx
g87vVY8ByfYfNo5GdWJO8DfT/epSex3fmXok8u/Zo4GDMIGAMB0GA1UdDgQWBBQr
hoqGLlVidscH1/QypVD0VyJ+TTAfBgNVHSMEGDAWgBQrhoqGLlVidscH1/QypVD0
VyJ+TTAtBgNVHREEJjAkghEqLnByb3hpZWQuZXhhbXBsZYIJbG9jYWxob3N0hwR/
AAABMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSQAwRgIhAIzeCQ43FTLQ
LaR868P6gORg6uJJSEp3bNAg+22VuF9jAiEAghT++SlO8khs0lB7sKGGH+cdO2bK
3yC8tVO06luj9Pc=
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgyRk4JaFc5LKUi3lQ
TpxAN0HYcFFcETQDepWKk4d35XuhRANCAATljLuylGq0n9VSSRfksPXxq9OQTXQx
h9sP2ybjJ3SjjpHxg87vVY8ByfYfNo5GdWJO8DfT/epSex3fmXok8u/Z
-----END PRIVATE KEY-----
`,
}

/** Status of the answer to a CONNECT, `hang` for none, or `cut` to close the connection. */
type Answer = number | 'hang' | 'cut'

/**
 * A proxy on loopback with only CONNECT. It alone knows the names that `lead` maps to ports of this machine, so nothing reaches them
 * directly.
 */
export const startConnectProxy = async ({
  secure = false,
  credentials = null,
}: { secure?: boolean; credentials?: string | null } = {}) => {
  const ports = new Map<string, number>()
  const places: string[] = []
  const open = new Set<Duplex>()
  let otherwise: Answer | null = null
  const judge = ({ url = '', headers }: IncomingMessage): Answer => {
    const expected = credentials === null ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`
    if (headers['proxy-authorization'] !== expected) return 407
    return otherwise ?? (ports.has(url) ? 200 : 502)
  }
  const onConnect = (request: IncomingMessage, client: Duplex) => {
    const place = request.url ?? ''
    places.push(place)
    open.add(client.on('error', () => client.destroy()))
    const answer = judge(request)
    if (answer === 'hang') return
    if (answer === 'cut') return void client.destroy()
    if (answer !== 200)
      return void client.end(
        `HTTP/1.1 ${answer} No\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
      )
    const server: Socket = connect(ports.get(place)!, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      server.pipe(client).pipe(server)
    })
    server.on('error', () => client.destroy())
    client.on('close', () => server.destroy())
  }
  const onlyConnect = (_: IncomingMessage, response: { writeHead(status: number): { end(): void } }) =>
    response.writeHead(405).end()
  const server = secure ? createSecureServer(proxiedCertificate, onlyConnect) : createServer(onlyConnect)
  server.on('connect', onConnect)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const place = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    /** Address for `HTTPS_PROXY`. */
    url: `http${secure ? 's' : ''}://${credentials === null ? '' : `${credentials}@`}${place}`,
    place,
    /** Host and port of every CONNECT. */
    places,
    /** Makes the proxy connect `to` (a name and a port) to a port of this machine. */
    lead: (to: string, port: number) => ports.set(to, port),
    /** Answers every CONNECT this way from now on; null to connect again. */
    answer: (answer: Answer | null) => {
      otherwise = answer
    },
    close: () => {
      server.closeAllConnections()
      for (const socket of open) socket.destroy()
      return new Promise<void>((closed) => server.close(() => closed()))
    },
  }
}
