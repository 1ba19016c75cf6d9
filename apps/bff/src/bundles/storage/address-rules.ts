import ipaddr from 'ipaddr.js'

/** Addresses that an operator allowed for a host, beyond public ones. */
export type AllowedAddresses = {
  /** Private networks and this machine: for hosts that the operator listed. */
  private: boolean
  /** This machine only: for the embedded service. */
  loopback: boolean
}

// Metadata services of clouds outside the link-local range (Alibaba, Amazon over IPv6, Azure, Oracle): they give out credentials.
const metadata = new Set(['100.100.100.200', 'fd00:ec2::254', '168.63.129.16', '192.0.0.192'])
const privateRanges = new Set(['private', 'uniqueLocal', 'carrierGradeNat', 'loopback'])
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')
// All public addresses lie inside. The library alone would accept, for example, IPv4-compatible addresses in
// hexadecimal.
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** Returns the IPv4 address inside an IPv6 one (mapped, NAT64). */
const unwrap = (address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 => {
  if (!(address instanceof ipaddr.IPv6)) return address
  const bytes = address.toByteArray()
  const carries = address.match(nat64) || address.isIPv4MappedAddress()
  return carries ? new ipaddr.IPv4(bytes.slice(12)) : address
}

/**
 * True for an IP address that bundles may come from: public ones; private ones and this machine where allowed. Never link-local
 * addresses, metadata services and special ranges.
 */
export const isAllowedAddress = (text: string, allowed: AllowedAddresses): boolean => {
  // A zone names an interface of this machine.
  if (text.includes('%') || !ipaddr.isValid(text)) return false
  const address = unwrap(ipaddr.parse(text))
  if (metadata.has(address.toString())) return false
  const range = address.range()
  if (range === 'unicast') return !(address instanceof ipaddr.IPv6) || address.match(globalUnicast)
  if (range === 'loopback' && allowed.loopback) return true
  return allowed.private && privateRanges.has(range)
}
