import { lookup, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/**
 * Whom an address belongs to: `metadata` services of clouds, which give out credentials, and everything link-local · `private` networks ·
 * `special` what no service has.
 */
export type AddressKind = 'public' | 'private' | 'loopback' | 'metadata' | 'special'

// Outside the link-local range (Alibaba, Amazon over IPv6, Azure, Oracle).
const metadata = new Set(['100.100.100.200', 'fd00:ec2::254', '168.63.129.16', '192.0.0.192'])
const metadataNames = new Set(['metadata.google.internal', 'metadata.goog', 'instance-data.ec2.internal'])
const privateRanges = new Set(['private', 'uniqueLocal', 'carrierGradeNat'])
// All public addresses lie inside. The library alone would accept, for example, IPv4-compatible addresses in
// hexadecimal.
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** Networks of IPv6 addresses that carry an IPv4 one, and its first byte: mapped and NAT64; then NAT64 of one network, compatible and 6to4. */
const readCarriers = (group: Readonly<Record<string, number>>) =>
  Object.entries(group).map(([network, at]) => ({ network: ipaddr.IPv6.parseCIDR(network), at }))
const translated = readCarriers({ '::ffff:0:0/96': 12, '64:ff9b::/96': 12 })
const tunnels = readCarriers({ '64:ff9b:1::/48': 12, '::/96': 12, '2002::/16': 2 })

const unwrap = (address: Address, carriers = translated): Address => {
  if (!(address instanceof ipaddr.IPv6)) return address
  const at = carriers.find(({ network }) => address.match(network))?.at
  return at === undefined ? address : new ipaddr.IPv4(address.toByteArray().slice(at, at + 4))
}

const isMetadata = (address: Address) => address.range() === 'linkLocal' || metadata.has(address.toString())

const judge = (address: Address): AddressKind => {
  const range = address.range()
  if (isMetadata(address) || isMetadata(unwrap(address, tunnels))) return 'metadata'
  if (range === 'loopback') return 'loopback'
  if (privateRanges.has(range)) return 'private'
  const isPublic = range === 'unicast' && (!(address instanceof ipaddr.IPv6) || address.match(globalUnicast))
  return isPublic ? 'public' : 'special'
}

/** Reads an IP address. Null for a name, and for an address with a zone, which names an interface of this machine. */
export const readAddress = (text: string): { address: Address; kind: AddressKind } | null => {
  if (text.includes('%') || !ipaddr.isValid(text)) return null
  const address = unwrap(ipaddr.parse(text))
  return { address, kind: judge(address) }
}

/** True for a host of a URL that is a metadata service by its name or address. Nothing of Docket's is there. */
export const isMetadataHost = (hostname: string): boolean => {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  return metadataNames.has(host.toLowerCase()) || readAddress(host)?.kind === 'metadata'
}

/** Resolves names by `resolve`, except to metadata services: rejects with the code `ERR_METADATA_ADDRESS`. */
export const withoutMetadata =
  (resolve: LookupFunction): LookupFunction =>
  (hostname, options, done) =>
    resolve(hostname, options, (error, found: string | LookupAddress[], family) => {
      const addresses = [found].flat().map((one) => (typeof one === 'object' ? one.address : one))
      if (error !== null || !addresses.some((one) => isMetadataHost(one ?? ''))) return done(error, found, family)
      const refusal = new Error(`${hostname} leads to a metadata service.`)
      return done(Object.assign(refusal, { code: 'ERR_METADATA_ADDRESS' }), found, family)
    })

/** For connections to hosts that an admin entered. Literal addresses need `isMetadataHost`: nobody looks them up. */
export const lookupHost = withoutMetadata(lookup as LookupFunction)
