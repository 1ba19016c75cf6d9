import { readAddress } from '@docket/addresses'
import ipaddr from 'ipaddr.js'

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number]

/** Creates a check for public addresses and listed private `networks`. Never allows link-local or metadata addresses. Throws on a malformed entry. */
export const reachable = (networks: readonly string[]): ((address: string) => boolean) => {
  const allowed = networks.map(parseNetwork)
  return (text) => {
    const known = readAddress(text)
    if (known === null || known.kind === 'metadata' || known.kind === 'special') return false
    const { address, kind } = known
    return (
      kind === 'public' ||
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
