import { isIP, type Socket } from 'node:net'
import { unescape } from 'node:querystring'
import { isLoopbackHost, isWithin, readAddress, stripHost } from './addresses.ts'

type Variables = Readonly<Record<string, string | undefined>>

/** What a connection is for, as `URL` and the options of a connection have it. */
export type Target = {
  protocol?: string | null | undefined
  hostname: string
  port?: string | number | null | undefined
}

/** Parses the address of a proxy; `http` without a scheme, as curl does. Null when it has another scheme, or a path. */
export const parseProxy = (text: string): URL | null => {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`)
  const fits = url !== null && /^https?:$/.test(url.protocol) && `${url.pathname}${url.search}${url.hash}` === '/'
  return fits ? url : null
}

const variables = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'] as const

/** Every variable that can name a proxy. */
export const proxyNames: readonly string[] = variables.flatMap((name) => [name, name.toLowerCase()])

/** A variable in lower case comes first, as with curl. */
const readVariable = (env: Variables, name: (typeof variables)[number]) =>
  [env[name.toLowerCase()], env[name]].map((value) => value?.trim() ?? '').find((value) => value !== '') ?? ''

const defaultPorts: Record<string, number> = { 'http:': 80, 'https:': 443 }

const readPort = ({ protocol, port }: Target) => Number(port || (defaultPorts[protocol ?? ''] ?? 443))

/** True when an entry of `NO_PROXY` means the target: `*`, a name with all below it, an address or a network; perhaps with a port. */
const isExempt = (entry: string, host: string, port: number): boolean => {
  if (entry === '*') return true
  const [, named = entry, onlyPort] = /^(\[.*\]|[^:]*):(\d+)$/.exec(entry) ?? []
  if (onlyPort !== undefined && Number(onlyPort) !== port) return false
  const name = stripHost(named).replace(/^\*?\./, '')
  return isIP(host) === 0 ? name !== '' && (host === name || host.endsWith(`.${name}`)) : isWithin(host, name)
}

/** Proxy for a target, by `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`. Null for a direct connection; always for this machine. */
export const findProxy = (target: Target, env: Variables = process.env): URL | null => {
  const proxy = parseProxy(readVariable(env, target.protocol === 'http:' ? 'HTTP_PROXY' : 'HTTPS_PROXY'))
  const host = stripHost(target.hostname)
  if (proxy === null || isLoopbackHost(host) || readAddress(host)?.kind === 'loopback') return null
  const entries = readVariable(env, 'NO_PROXY').split(/[\s,]+/)
  return entries.some((entry) => entry !== '' && isExempt(entry, host, readPort(target))) ? null : proxy
}

/** Variables that lead git through the proxy of a target. Settings would be in the list of processes. */
export const listGitVariables = (target: Target): Record<string, string> => {
  const proxy = findProxy(target)?.href
  if (proxy === undefined) return {}
  const ways = { https_proxy: proxy, http_proxy: proxy, no_proxy: readVariable(process.env, 'NO_PROXY') }
  return { ...ways, GIT_HTTP_PROXY_AUTHMETHOD: 'basic' }
}

/** A proxy without its credentials. */
export const describeProxy = ({ protocol, host }: URL): string => `${protocol}//${host}`

/** No connection through a proxy: nothing of a request has left. The message is a clause that names the proxy, without its credentials. */
export class ProxyFailed extends Error {
  override readonly name = 'ProxyFailed'
  readonly code = 'ERR_PROXY'
}

const explainStatus = (status: number, place: string, hasCredentials: boolean): string => {
  if (status === 407)
    return hasCredentials
      ? 'doesn’t accept the user name and password in its address'
      : 'wants a user name and password'
  if (status === 403 || status === 405) return `doesn’t allow connections to ${place} (${status})`
  if (status >= 500) return `couldn’t connect to ${place} (${status})`
  return `answered ${status} instead of connecting to ${place}`
}

/** Opens a connection to a target through a proxy (CONNECT). `done` receives a `ProxyFailed` or the socket. */
export const openTunnel = (
  proxy: URL,
  target: Target,
  timeoutMs: number,
  done: (...result: [Error, null] | [null, Socket]) => void,
): void => {
  const host = stripHost(target.hostname)
  const place = `${isIP(host) === 6 ? `[${host}]` : host}:${readPort(target)}`
  const fail = (why: string) => done(new ProxyFailed(`the proxy ${describeProxy(proxy)} ${why}`), null)
  const credentials = [proxy.username, proxy.password].map(unescape).join(':')
  // Slow to load, and few processes use a proxy.
  const { request: ask } = process.getBuiltinModule(proxy.protocol === 'https:' ? 'node:https' : 'node:http')
  const proxyHost = stripHost(proxy.hostname)
  const request = ask({
    host: proxyHost,
    // Node would take it from the header `host`, and check the certificate of the proxy against the name of the target.
    servername: isIP(proxyHost) === 0 ? proxyHost : '',
    port: readPort(proxy),
    method: 'CONNECT',
    path: place,
    agent: false,
    headers: {
      host: place,
      ...(credentials !== ':' && { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }),
    },
  })
  const timer = setTimeout(() => request.destroy(Object.assign(new Error(), { code: 'ETIMEDOUT' })), timeoutMs)
  // Node calls this for every answer to CONNECT.
  request.once('connect', ({ statusCode = 0 }, socket, head) => {
    clearTimeout(timer)
    if (statusCode !== 200) {
      socket.destroy()
      return fail(explainStatus(statusCode, place, credentials !== ':'))
    }
    if (head.length > 0) socket.unshift(head)
    done(null, socket)
  })
  request.on('error', ({ code = 'no usable answer' }: NodeJS.ErrnoException) => {
    clearTimeout(timer)
    fail(code === 'ETIMEDOUT' ? 'didn’t answer in time' : `can’t be reached (${code})`)
  })
  request.end()
}
