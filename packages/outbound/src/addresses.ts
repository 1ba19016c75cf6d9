import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** `metadata`: cloud services that give out credentials, and all link-local addresses. `special`: addresses that no service has. */
export type AddressKind = 'public' | 'private' | 'loopback' | 'metadata' | 'special'

// Metadata addresses outside the link-local range (Alibaba, Amazon over IPv6, Azure, Oracle).
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

const unwrapCarriedAddress = (address: Address, carriers = translated): Address => {
  if (!(address instanceof ipaddr.IPv6)) return address
  const at = carriers.find(({ network }) => address.match(network))?.at
  return at === undefined ? address : new ipaddr.IPv4(address.toByteArray().slice(at, at + 4))
}

const isMetadata = (address: Address) => address.range() === 'linkLocal' || metadata.has(address.toString())

const classifyAddress = (address: Address): AddressKind => {
  const range = address.range()
  if (isMetadata(address) || isMetadata(unwrapCarriedAddress(address, tunnels))) return 'metadata'
  if (range === 'loopback') return 'loopback'
  if (privateRanges.has(range)) return 'private'
  const isPublic = range === 'unicast' && (!(address instanceof ipaddr.IPv6) || address.match(globalUnicast))
  return isPublic ? 'public' : 'special'
}

/** Null for a name, and for an address with a zone, which names a network interface of this machine. */
export const readAddress = (text: string): { address: Address; kind: AddressKind } | null => {
  if (text.includes('%') || !ipaddr.isValid(text)) return null
  const address = unwrapCarriedAddress(ipaddr.parse(text))
  return { address, kind: classifyAddress(address) }
}

/** A host in lower case, without the brackets of IPv6 and the dot at the end. */
export const stripHost = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')

/** True for a host of a URL that is a metadata service by its name or address. Nothing of Docket's is there. */
export const isMetadataHost = (hostname: string): boolean => {
  const host = stripHost(hostname)
  return metadataNames.has(host) || readAddress(host)?.kind === 'metadata'
}

/** True for a hostname, as `URL.hostname` writes it, that can only mean this machine (RFC 6761 §6.3). */
export const isLoopbackHost = (hostname: string): boolean =>
  /^(?:(?:.+\.)?localhost|\[::1\]|127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/.test(hostname)

/** True for plain http to another machine. */
export const isOpenHttp = ({ protocol, hostname }: URL): boolean => protocol === 'http:' && !isLoopbackHost(hostname)

/** Ports that browsers open no page at: the bad ports of the Fetch standard. */
export const blockedPorts: ReadonlySet<number> = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
])

export type AddressRule = (address: string) => boolean

/** Rule for hosts that an admin entered: allows everything except metadata services. */
export const allowAllButMetadata: AddressRule = (text) => (readAddress(text)?.kind ?? 'metadata') !== 'metadata'

/** Allows public addresses, `kinds` and `networks`, but never metadata and special ranges. Throws on a malformed network. */
export const allowPublicAnd = (more: {
  kinds?: readonly ('private' | 'loopback')[]
  networks?: readonly string[]
}): AddressRule => {
  const kinds = new Set<AddressKind>(['public', ...(more.kinds ?? [])])
  const networks = (more.networks ?? []).map(parseNetwork)
  return (text) => {
    const known = readAddress(text)
    if (known === null || known.kind === 'metadata' || known.kind === 'special') return false
    const { address, kind } = known
    return kinds.has(kind) || networks.some((network) => matches(address, network))
  }
}

/** True for an address in a network, or equal to an address. False for anything that is neither. */
export const isWithin = (address: string, network: string): boolean => {
  const known = readAddress(address)?.address
  try {
    return known !== undefined && matches(known, parseNetwork(network))
  } catch {
    return false
  }
}

type Network = [Address, number]

const matches = (address: Address, [network, bits]: Network): boolean =>
  network.kind() === address.kind() && address.match(network, bits)

const parseNetwork = (text: string): Network => {
  try {
    if (text.includes('/')) return ipaddr.parseCIDR(text)
    const address = ipaddr.parse(text)
    return [address, address.kind() === 'ipv4' ? 32 : 128]
  } catch {
    throw new Error(`“${text}” is neither an IP address nor a network such as 10.20.0.0/16.`)
  }
}
