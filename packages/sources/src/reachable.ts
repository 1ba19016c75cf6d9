import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Network = [Address, number]

// Cloud metadata services outside the link-local range.
const metadata = new Set(['100.100.100.200', 'fd00:ec2::254', '168.63.129.16', '192.0.0.192'])
const listable = new Set(['private', 'uniqueLocal', 'carrierGradeNat', 'loopback'])
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')
// No public address lies outside.
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Creates a check for public addresses and listed private `networks`. Never allows link-local or metadata addresses. Throws on a malformed
 * entry.
 */
export const reachable = (networks: readonly string[]): ((address: string) => boolean) => {
  const allowed = networks.map(parseNetwork)
  return (text) => {
    // A zone names a local interface.
    if (text.includes('%') || !ipaddr.isValid(text)) return false
    const address = unwrap(ipaddr.parse(text))
    if (metadata.has(address.toString())) return false
    const range = address.range()
    if (range === 'unicast') return !(address instanceof ipaddr.IPv6) || address.match(globalUnicast)
    return (
      listable.has(range) &&
      allowed.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))
    )
  }
}

const parseNetwork = (text: string): Network => {
  try {
    if (text.includes('/')) return ipaddr.parseCIDR(text)
    const address = ipaddr.parse(text)
    return [address, address.kind() === 'ipv4' ? 32 : 128]
  } catch {
    throw new Error(`“${text}” is neither an IP address nor a network such as 10.20.0.0/16.`)
  }
}

/** IPv4 address inside a mapped or NAT64 one. */
const unwrap = (address: Address): Address => {
  if (!(address instanceof ipaddr.IPv6)) return address
  const carries = address.match(nat64) || address.isIPv4MappedAddress()
  return carries ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address
}
