import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Network = [Address, number]

// Services of clouds that hand out credentials, outside of the link-local range.
const metadata = new Set(['100.100.100.200', 'fd00:ec2::254', '168.63.129.16', '192.0.0.192'])
const listable = new Set(['private', 'uniqueLocal', 'carrierGradeNat', 'loopback'])
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')
// Nothing outside of it was ever given to the public.
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Tells which IP addresses sites may be read from: public ones, and private ones and this machine where `networks` lists them
 * (addresses, or networks such as `10.20.0.0/16`). Link-local addresses and the metadata services of clouds never. Throws with a
 * sentence when an entry is none.
 */
export const reachable = (networks: readonly string[]): ((address: string) => boolean) => {
  const allowed = networks.map(parseNetwork)
  return (text) => {
    // A zone names an interface of this machine.
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

/** The IPv4 address that an IPv6 one only carries (mapped, NAT64). */
const unwrap = (address: Address): Address => {
  if (!(address instanceof ipaddr.IPv6)) return address
  const carries = address.match(nat64) || address.isIPv4MappedAddress()
  return carries ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address
}
