import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import { createMiddleware } from 'hono/factory'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Proxies whose `X-Forwarded-For` Docket trusts, as networks; a single address is a network of one. May be empty. */
export type TrustedProxies = readonly (readonly [Address, number])[]

/** Address of a request whose connection is already closed. */
const nowhere = 'unknown'

// Maximum number of entries to read. No real chain of proxies is longer; a longer header would only cost time.
const maxProxies = 16

/** Null for an address in an unusual form: other parsers read `127.1` or `0177.0.0.1` differently. */
const parseAddress = (text: string): Address | null => {
  const plain = text.split('%', 1)[0] ?? ''
  return isIP(plain) === 0 ? null : ipaddr.process(plain)
}

const formatAddress = (address: Address): string =>
  address instanceof ipaddr.IPv6 ? address.toRFC5952String() : address.toString()

/**
 * Parses one address or network, such as `10.0.0.5` or `10.0.0.0/8`. Null for other text, and for a network of all
 * addresses.
 */
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

const isInNetworks = (networks: TrustedProxies, address: Address): boolean =>
  networks.some(([network, bits]) => network.kind() === address.kind() && address.match([network, bits]))

/**
 * True when many people may share connections from this address: for a trusted proxy, and for this machine, where a
 * proxy may run.
 */
export const bringsMany = (trusted: TrustedProxies, address: string): boolean => {
  const parsed = parseAddress(address)
  return parsed !== null && (parsed.range() === 'loopback' || isInNetworks(trusted, parsed))
}

const removePort = (entry: string): string =>
  /^\[([0-9a-f:.%]+)\](?::\d{1,5})?$/i.exec(entry)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(entry)?.[1] ?? entry

/** Entries of `X-Forwarded-For`, the latest first. */
const readForwardedFor = ({ headers }: Pick<IncomingMessage, 'headers'>): string[] =>
  [headers['x-forwarded-for'] ?? []]
    .flat()
    .join(',')
    .split(',')
    .slice(-maxProxies)
    .toReversed()
    .map((entry) => removePort(entry.trim()))

/**
 * Address of the client, in canonical form. The connection's address or, when that is a trusted proxy, the latest
 * address in `X-Forwarded-For` that is no trusted proxy; the client may have forged earlier entries. When the header is
 * missing or unreadable, the last trusted proxy.
 */
export const findClientAddress = (
  incoming: { socket: { remoteAddress?: string | undefined }; headers: IncomingMessage['headers'] },
  trusted: TrustedProxies,
): string => {
  let address = parseAddress(incoming.socket.remoteAddress ?? '')
  if (address === null) return nowhere
  if (!isInNetworks(trusted, address)) return formatAddress(address)
  for (const entry of readForwardedFor(incoming)) {
    const before = parseAddress(entry)
    if (before === null) break
    address = before
    if (!isInNetworks(trusted, before)) break
  }
  return formatAddress(address)
}

/** Part of an address that belongs to one client, for counting: an IPv4 address, or the /64 of an IPv6 address. */
export const toNetwork = (address: string): string => {
  const parsed = parseAddress(address)
  if (!(parsed instanceof ipaddr.IPv6)) return address
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toRFC5952String()}/64`
}

export const createAddressReader = (trusted: TrustedProxies) =>
  createMiddleware<{ Bindings: HttpBindings; Variables: { address: string } }>(async (c, next) => {
    c.set('address', findClientAddress(c.env.incoming, trusted))
    await next()
  })
