import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import { Agent as PlainAgent } from 'node:http'
import { Agent as EncryptedAgent } from 'node:https'
import { createRequire } from 'node:module'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import type undici from 'undici'
import type { Headers, RequestInit } from 'undici'
import { allowAllButMetadata, type AddressRule, isMetadataHost } from './addresses.ts'
import { findProxy, openTunnel, type Target } from './proxy.ts'

const require = createRequire(import.meta.url)

// All of undici, with its fetch, mocks and caches, is 12 MB more.
const Agent = require('undici/lib/dispatcher/agent.js') as typeof undici.Agent
const buildConnector = require('undici/lib/core/connect.js') as typeof undici.buildConnector
// The package's entry point gives dispatchers their `request`.
Object.assign(require('undici/lib/dispatcher/dispatcher.js').prototype, require('undici/lib/api/index.js'))

/** A host is at an address that the rule of the connection does not allow. */
export class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress'
  readonly code: string

  constructor(what: string, address: string) {
    super(`${what}, which is private or has a special meaning`)
    this.code = isMetadataHost(address) ? 'ERR_METADATA_ADDRESS' : 'ERR_FORBIDDEN_ADDRESS'
  }
}

type NameRule = {
  allows: AddressRule
  /** When true, a name with both allowed and forbidden addresses leads to the allowed ones. By default, it is refused. */
  skipsForbidden?: boolean
  lookup?: LookupFunction
}

/** Resolves names to allowed addresses. The socket connects to exactly this result, so a second, different DNS answer cannot matter. */
export const checkedLookup =
  ({ allows, skipsForbidden = false, lookup = systemLookup as LookupFunction }: NameRule): LookupFunction =>
  (hostname, options, done) =>
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return done(error, '', 0)
      const addresses = found as LookupAddress[]
      const forbidden = addresses.find(({ address }) => !allows(address))?.address
      const usable = addresses.filter(({ address }) => allows(address))
      const [first] = usable
      if (first === undefined || (forbidden !== undefined && !skipsForbidden)) {
        const what = forbidden === undefined ? `${hostname} has no address` : `${hostname} is at ${forbidden}`
        return done(new ForbiddenAddress(what, forbidden ?? ''), '', 0)
      }
      return options.all === true ? done(null, usable) : done(null, first.address, first.family)
    })

/** Opens a tunnel to a name that the proxy resolves. Its addresses are unknown here, so only the name can be refused. */
const openCheckedTunnel: typeof openTunnel = (proxy, target, timeoutMs, done) =>
  isMetadataHost(target.hostname)
    ? done(new ForbiddenAddress(`the name is ${target.hostname}`, target.hostname), null)
    : openTunnel(proxy, target, timeoutMs, done)

/** Agents for other client libraries. IP addresses in URLs are not looked up, so they need `isMetadataHost`. */
export const createNodeAgents = (options: { maxSockets?: number; keepAlive: boolean; connectMs: number }) => {
  const { connectMs, ...pool } = options
  const lookup = checkedLookup({ allows: allowAllButMetadata })
  const leadThroughProxy = <A extends PlainAgent>(agent: A, protocol: 'http:' | 'https:'): A => {
    const connect = agent.createConnection.bind(agent)
    return Object.assign(agent, {
      createConnection: (...[to, done]: Parameters<typeof connect>) => {
        const target: Target = { protocol, hostname: to.host ?? '', port: to.port }
        const proxy = findProxy(target)
        if (proxy === null) return connect(to, done)
        openCheckedTunnel(proxy, target, connectMs, (error, socket) => {
          const overTunnel: object = { ...to, socket }
          if (error !== null) done?.(error, undefined!)
          else done?.(null, (protocol === 'https:' && connect(overTunnel)) || socket)
        })
        return undefined
      },
    })
  }
  return {
    httpAgent: leadThroughProxy(new PlainAgent({ ...pool, lookup }), 'http:'),
    httpsAgent: leadThroughProxy(new EncryptedAgent({ ...pool, lookup }), 'https:'),
  }
}

export type OutboundAgent = undici.Agent

/**
 * Uses HTTP/1.1 only. `allows` checks looked-up names, literal addresses, and the address that the socket is finally connected to. Behind
 * a proxy, which resolves names, it checks literal addresses.
 */
export const createOutboundAgent = (
  options: NameRule & {
    connectMs: number
    /** Certificates (PEM) to trust. Null to trust those of Node. */
    ca?: string | null
    /** Client certificate and its private key (PEM). */
    cert?: string | undefined
    key?: string | undefined
    /** Called with each new socket. */
    onSocket?: (socket: Socket) => void
  } & Pick<
      undici.Agent.Options,
      'pipelining' | 'keepAliveMaxTimeout' | 'maxHeaderSize' | 'headersTimeout' | 'bodyTimeout'
    >,
): OutboundAgent => {
  const { allows, skipsForbidden, lookup, connectMs, ca = null, cert, key, onSocket, ...limits } = options
  const names = checkedLookup({ allows, ...(skipsForbidden && { skipsForbidden }), ...(lookup && { lookup }) })
  const tls = { cert, key, ...(ca !== null && { ca }) }
  const connect = buildConnector({ lookup: names, timeout: connectMs, allowH2: false, ...tls })
  return new Agent({
    ...limits,
    allowH2: false,
    connect: (to, done) => {
      const host = to.hostname.replace(/^\[|\]$/g, '')
      const refuse = (address: string) => done(new ForbiddenAddress(`the address is ${address}`, address), null)
      // Literals skip the lookup.
      if (isIP(host) !== 0 && !allows(host)) return refuse(host)
      // A server name has no dot at its end. undici sends none for an address (RFC 6066 §3).
      const servername = isIP(host) === 0 ? host.replace(/\.$/, '') : to.servername
      const proxy = findProxy(to)
      const open = (over: { httpSocket?: Socket }) =>
        connect({ ...to, ...over, ...(servername !== undefined && { servername }) }, (...[error, socket]) => {
          if (error !== null) return done(error, null)
          const { remoteAddress = '' } = socket
          if (proxy === null && !allows(remoteAddress)) {
            socket.destroy()
            return refuse(remoteAddress)
          }
          finish(socket)
        })
      const finish = (socket: Socket) => {
        onSocket?.(socket)
        done(null, socket)
      }
      if (proxy === null) return open({})
      openCheckedTunnel(proxy, to, connectMs, (error, socket) => {
        if (error !== null) done(error, null)
        else if (to.protocol === 'https:') open({ httpSocket: socket })
        else finish(socket)
      })
    },
  })
}

type Fetched = { status: number; headers: Headers; body: Buffer<ArrayBuffer> }

/** Follows no redirect. Null when the body has more than `maxBytes`. */
export const fetchOnce = async (
  agent: OutboundAgent,
  url: string,
  { maxBytes, ...init }: Omit<RequestInit, 'redirect' | 'dispatcher'> & { maxBytes: number },
): Promise<Fetched | null> => {
  const { fetch } = await import('undici')
  const response = await fetch(url, { ...init, redirect: 'manual', dispatcher: agent })
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.length
    // Leaving the loop closes the connection.
    if (bytes > maxBytes) return null
    parts.push(part)
  }
  return { status: response.status, headers: response.headers, body: Buffer.concat(parts) }
}
