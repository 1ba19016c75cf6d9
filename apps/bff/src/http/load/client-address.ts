import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import { createMiddleware } from 'hono/factory'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** The proxies whose word about an address counts: networks, a single address being one of its own. Empty: nobody's. */
export type TrustedProxies = readonly (readonly [Address, number])[]

/** What a request comes from when its connection is gone already. */
const nowhere = 'unknown'

// No chain of real proxies is longer; a longer header is somebody's attempt to be looked at for long.
const maxProxies = 16

/** Null for what is no address in its usual form: `127.1` and `0177.0.0.1` are other addresses to other readers. */
const parse = (text: string): Address | null => {
  const plain = text.split('%', 1)[0] ?? ''
  return isIP(plain) === 0 ? null : ipaddr.process(plain)
}

const formatAddress = (address: Address): string =>
  address instanceof ipaddr.IPv6 ? address.toRFC5952String() : address.toString()

/** One address or network, such as `10.0.0.5` or `10.0.0.0/8`; null when it is neither, or means everybody. */
export const parseNetwork = (text: string): TrustedProxies[number] | null => {
  const [address = '', bits, ...rest] = text.split('/')
  const parsed = isIP(address) === 0 || address.includes('%') ? null : ipaddr.parse(address)
  if (parsed === null || rest.length > 0 || !/^[1-9]\d{0,2}$/.test(bits ?? '1')) return null
  const mapped = parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress()
  const most = parsed.kind() === 'ipv4' ? 32 : 128
  const length = Number(bits ?? most)
  if (length > most || (mapped && length <= 96)) return null
  return mapped ? [parsed.toIPv4Address(), length - 96] : [parsed, length]
}

const isIn = (networks: TrustedProxies, address: Address): boolean =>
  networks.some(([network, bits]) => network.kind() === address.kind() && address.match([network, bits]))

/** Whether connections from this address bring many people: those of a trusted proxy, and of this machine, where one may run too. */
export const bringsMany = (trusted: TrustedProxies, address: string): boolean => {
  const parsed = parse(address)
  return parsed !== null && (parsed.range() === 'loopback' || isIn(trusted, parsed))
}

/** Some proxies add the port they saw. */
const withoutPort = (entry: string): string =>
  /^\[([0-9a-f:.%]+)\](?::\d{1,5})?$/i.exec(entry)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(entry)?.[1] ?? entry

/** Entries of `X-Forwarded-For`, the latest first. */
const forwardedFor = ({ headers }: Pick<IncomingMessage, 'headers'>): string[] =>
  [headers['x-forwarded-for'] ?? []]
    .flat()
    .join(',')
    .split(',')
    .slice(-maxProxies)
    .toReversed()
    .map((entry) => withoutPort(entry.trim()))

/**
 * The address a request comes from, in one form for each: that of the connection, or, where that is a trusted proxy, the latest
 * address in `X-Forwarded-For` that is not one. What stands before it in the header was written by the client and counts for
 * nothing; where the header is missing or says nothing readable, it is the last proxy that could be believed.
 */
export const clientAddress = (
  incoming: { socket: { remoteAddress?: string | undefined }; headers: IncomingMessage['headers'] },
  trusted: TrustedProxies,
): string => {
  let address = parse(incoming.socket.remoteAddress ?? '')
  if (address === null) return nowhere
  if (!isIn(trusted, address)) return formatAddress(address)
  for (const entry of forwardedFor(incoming)) {
    const before = parse(entry)
    if (before === null) break
    address = before
    if (!isIn(trusted, before)) break
  }
  return formatAddress(address)
}

/** The part of an address that one client has to itself, for counting: an IPv4 address, or the /64 of an IPv6 address. */
export const toNetwork = (address: string): string => {
  const parsed = parse(address)
  if (!(parsed instanceof ipaddr.IPv6)) return address
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toRFC5952String()}/64`
}

/** Puts the address a request comes from on its context, as `address`. */
export const clientAddresses = (trusted: TrustedProxies) =>
  createMiddleware<{ Bindings: HttpBindings; Variables: { address: string } }>(async (c, next) => {
    c.set('address', clientAddress(c.env.incoming, trusted))
    await next()
  })
