import { lookup as systemLookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { allowPublicAnd, isMetadataHost, readAddress, stripHost } from '@docket/outbound/addresses'
import { findProxy } from '@docket/outbound/proxy'

/** A host name or IP address (without brackets), in lower case, and a port. */
export type HostPort = { host: string; port: number }

/** A host of Docket. `nameOnly` is true when other hosts may share its address, such as behind one reverse proxy. */
export type RefusedHost = HostPort & { nameOnly?: boolean }

export type NetworkRules = { hosts: readonly HostPort[]; refused: readonly RefusedHost[] }

type Address = { address: string; family: number }

/** Resolves a host name to all of its addresses. Tests replace it. */
export type Resolve = (host: string) => Promise<readonly Address[]>

/** A checked connection whose `lookup` returns only the checked addresses, or the reason of a refusal. */
export type Destination = { lookup: LookupFunction } | { refusal: string }

const resolveAll: Resolve = (host) => systemLookup(host, { all: true })

/**
 * Checks where a sandbox may connect: listed pairs of host and port only. A name that leads to a private address also needs that address
 * in the list, because the owner of a name decides where it leads. Never link-local addresses, or a port of Docket itself. A name that only
 * Docket's own proxy can resolve is checked as a name.
 */
export const checkDestination = async (
  { host: text, port }: HostPort,
  { hosts, refused }: NetworkRules,
  resolve: Resolve = resolveAll,
): Promise<Destination> => {
  const host = stripHost(text)
  const refuse = (why: string) => ({ refusal: `Docket refused a connection to ${host}:${port}: ${why}.` })
  if (!hosts.some((listed) => listed.host === host && listed.port === port))
    return refuse('AGENT_COMMAND_HOSTS does not list it')
  const find = async (name: string): Promise<readonly Address[]> =>
    isIP(name) === 0 ? resolve(name).catch(() => []) : [{ address: name, family: isIP(name) }]
  const addresses = await find(host)
  if (await isOfDocket({ host, port }, addresses, refused, find)) return refuse('it is a part of Docket')
  const isForProxy = findProxy({ hostname: host, port }) !== null && !isMetadataHost(host)
  if (addresses.length === 0 && !isForProxy) return refuse('it has no address')
  const named = hosts.filter((listed) => listed.port === port && isIP(listed.host) !== 0).map((listed) => listed.host)
  const allows = allowPublicAnd(isLocalName(host) ? { kinds: ['private', 'loopback'] } : { networks: named })
  const forbidden = addresses.find(({ address }) => !allows(address))
  if (forbidden)
    return refuse(
      isIP(host) === 0
        ? `it leads to ${forbidden.address}, which is not public and not in AGENT_COMMAND_HOSTS`
        : 'the address has a special meaning',
    )
  const lookup: LookupFunction = (_, options, done) =>
    options.all ? done(null, [...addresses]) : done(null, addresses[0]!.address, addresses[0]!.family)
  return { lookup }
}

const isOfDocket = async (
  { host, port }: HostPort,
  addresses: readonly Address[],
  refused: readonly RefusedHost[],
  find: Resolve,
) => {
  if (addresses.some(({ address }) => isOfThisMachine(address)) && findOwnPorts().has(port)) return true
  const samePort = refused.filter((own) => own.port === port)
  if (samePort.some((own) => own.host === host)) return true
  const own = (await Promise.all(samePort.filter(({ nameOnly }) => !nameOnly).map((part) => find(part.host)))).flat()
  const isOwn = ({ address }: Address) =>
    own.some((part) => part.address === address || (isOfThisMachine(address) && isOfThisMachine(part.address)))
  return addresses.some(isOwn)
}

/** Names that no public registry assigns, so that no stranger controls their addresses. */
const isLocalName = (host: string) => /^[^.:]+$|\.(?:internal|local|lan|localhost|home\.arpa)$/.test(host)

/** True for loopback, and for the addresses of this machine's network cards. */
const isOfThisMachine = (address: string) => {
  const known = readAddress(address)
  if (known === null) return false
  const plain = known.address.toString()
  if (known.kind === 'loopback' || plain === '0.0.0.0' || plain === '::') return true
  return Object.values(networkInterfaces()).some((cards) => cards?.some((card) => card.address === plain))
}

/** Ports that this process listens on, as the kernel lists them: Docket's own, the local Admin API's, and that of metrics. */
const findOwnPorts = (): ReadonlySet<number> => {
  const sockets = new Set(readdirSync('/proc/self/fd').flatMap(readSocketInode))
  const lines = ['tcp', 'tcp6'].flatMap((family) => readTable(family).split('\n').slice(1))
  const ports = lines.flatMap((line) => {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/)
    return state === listening && sockets.has(inode) ? [Number.parseInt(local.split(':').at(-1) ?? '', 16)] : []
  })
  return new Set(ports)
}

const listening = '0A'

const readSocketInode = (descriptor: string): string[] => {
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${descriptor}`))?.slice(1) ?? []
  } catch {
    // The descriptor that listed the folder is closed again.
    return []
  }
}

const readTable = (family: string) => {
  try {
    return readFileSync(`/proc/self/net/${family}`, 'utf8')
  } catch {
    // A kernel without IPv6 has no table of it.
    return ''
  }
}
