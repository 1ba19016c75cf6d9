import { domainToASCII } from 'node:url'
import { isIP } from 'node:net'
import type { ChannelAccess } from '@docket/api-types/sites'
import { LRUCache } from 'lru-cache'
import type { PreviewAddress } from '#ground/config/preview-address.ts'
import { refusedFieldError } from '#ground/errors/app-error.ts'
import { isOwnHost, isSharedHost, type OwnHosts, readPort } from '#ground/http/access/own-hosts.ts'
import { mayNamesOverlap, mayShareCookies } from '#ground/http/access/other-hosts.ts'

export type AddressedChannel = { label: string; name: string; hostname: string | null; access: ChannelAccess }

/** Address of a hosted channel, without a slash at its end, or why it has none. One of them is null. */
export type HostedAddress = { address: string; problem: null } | { address: null; problem: string }

/** The channel that a `Host` header selects: by label and name, or by the channel's own hostname. */
export type HostedName = { label: string; channel: string } | { hostname: string }

/** Number of `Host` headers whose meaning is cached, because every request needs it. */
const maxNames = 1_000
/** Maximum length of a hostname with a port. */
const maxHostChars = 259
/** Name of the channel at the address that consists of the site's label only. */
const mainChannel = 'production'
const hostName = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

const readName = (host: string) => host.toLowerCase().replace(/:\d{1,5}$/, '')
const isLocal = (name: string) => name.endsWith('.localhost')
const isBelow = (name: string, parent: string) => name === parent || name.endsWith(`.${parent}`)

const problems = {
  private: 'This channel is private. Change who reads it to host it.',
  noHost:
    'Docket has no hostnames for sites. An admin can set HOSTING_URL to a wildcard address, such as https://*.docs.example, or give this channel a hostname.',
  sharedCookies:
    'HOSTING_URL is below Docket’s own domain, so pages could set cookies for Docket. Set it to a domain of its own.',
  previews: 'HOSTING_URL overlaps with PREVIEW_URL. Set it to a domain of its own.',
  sharedHostname:
    'The hostname of this channel is below Docket’s own domain, so pages could set cookies for Docket. Give it another one.',
} as const

const toProblem = (problem: string): HostedAddress => ({ address: null, problem })
const toAddress = (address: string): HostedAddress => ({ address, problem: null })

/**
 * Decides at which hostnames channels are hosted: never at one whose pages could set cookies for Docket, nor at Docket's own or a preview's.
 * `isPreview` knows the hosts of previews.
 */
export const createHostedHosts = (deps: {
  hosts: OwnHosts
  hostingUrl: PreviewAddress | null
  previewUrl: PreviewAddress | null
  isPreview: (host: string) => boolean
}) => {
  const { hosts, hostingUrl, previewUrl, isPreview } = deps
  const parentName = hostingUrl === null ? null : readName(hostingUrl.parent)
  const ownNames = [hosts.publicUrl?.hostname, hosts.ownName].filter((name) => typeof name === 'string')
  const sharesWithDocket = (name: string) => ownNames.some((own) => mayShareCookies(name, own))

  const findProblem = (): string | null => {
    if (parentName === null) return hosts.ownName === null ? problems.noHost : null
    if (sharesWithDocket(parentName) || ownNames.some((own) => isBelow(own, parentName))) return problems.sharedCookies
    return previewUrl !== null && mayNamesOverlap(previewUrl.parent, parentName) ? problems.previews : null
  }
  const parentProblem = findProblem()

  const originOf = (host: string, name: string) =>
    isLocal(name) ? `http://${name}${readPort(host)}` : `https://${name}`

  const readLabel = (host: string): HostedName | null => {
    const [, label = '', parent = ''] = /^([a-z0-9-]+)\.(.+)$/.exec(host) ?? []
    const isParent = hostingUrl === null ? readName(parent) === 'localhost' : parent === hostingUrl.parent
    if (!isParent || label === '') return null
    const [first = '', rest] = label.split(/--(.*)/s)
    return rest === undefined ? { label, channel: mainChannel } : { label: rest, channel: first }
  }

  const readHost = (host: string): HostedName | null => {
    if (isOwnHost(host, hosts)) return null
    const lower = host.toLowerCase()
    const name = readName(lower)
    if (!hostName.test(name) || isIP(name) !== 0 || isPreview(lower) || sharesWithDocket(name)) return null
    const labelled = parentProblem === null ? readLabel(lower) : null
    return labelled ?? { hostname: name }
  }
  const names = new LRUCache<string, { name: HostedName | null }>({ max: maxNames })

  return {
    /** Where a channel opens for a browser that uses Docket at `host`. */
    describe: (host: string, channel: AddressedChannel): HostedAddress => {
      const { label, name, hostname, access } = channel
      if (access === 'private') return toProblem(problems.private)
      if (hostname !== null)
        return sharesWithDocket(hostname) || mayShareCookies(hostname, readName(host))
          ? toProblem(problems.sharedHostname)
          : toAddress(originOf(host, hostname))
      if (parentProblem !== null) return toProblem(parentProblem)
      const first = name === mainChannel ? label : `${name}--${label}`
      if (hostingUrl === null) return toAddress(`http://${first}.localhost${readPort(host)}`)
      return !isSharedHost(host) && mayShareCookies(parentName!, readName(host))
        ? toProblem(problems.sharedCookies)
        : toAddress(`${hostingUrl.scheme}//${first}.${hostingUrl.parent}`)
    },
    /** Origin of the hosted page for a request with this `Host`. */
    findOrigin: (host: string): string =>
      hostingUrl !== null && host.toLowerCase().endsWith(`.${hostingUrl.parent}`)
        ? `${hostingUrl.scheme}//${host.toLowerCase()}`
        : originOf(host, readName(host)),
    /** The channel that a `Host` header selects. Null for Docket's own hosts, those of previews, and malformed ones. */
    read: (host: string | undefined): HostedName | null => {
      if (host === undefined || host.length > maxHostChars) return null
      const known = names.get(host)
      if (known !== undefined) return known.name
      const name = readHost(host)
      names.set(host, { name })
      return name
    },
    /** The normal form of a hostname for a channel. Throws `invalid_request` for one that cannot be hosted or may share cookies with Docket. */
    checkHostname: (text: string): string => {
      const refuse = (sentence: string) => refusedFieldError('hostname', sentence)
      const name = domainToASCII(text.trim().toLowerCase())
      if (!hostName.test(name) || isIP(name) !== 0)
        throw refuse('Enter a hostname, such as docs.example.com, without a scheme, a port or a path.')
      if (sharesWithDocket(name) || isSharedHost(name))
        throw refuse(
          'This hostname shares a domain with Docket, so pages there could set cookies for Docket. Choose one in another domain.',
        )
      if (isPreview(name) || (previewUrl !== null && isBelow(name, readName(previewUrl.parent))))
        throw refuse('This hostname belongs to previews. Choose another one.')
      if (hostingUrl === null ? isLocal(name) : isBelow(name, parentName!))
        throw refuse('Addresses there follow from the label of a site. Change the label, or choose another hostname.')
      return name
    },
  }
}

export type HostedHosts = ReturnType<typeof createHostedHosts>
