import { createHmac } from 'node:crypto'
import type { PreviewAddress } from '#ground/config/preview-address.ts'
import { isOwnHost, type OwnHosts, readPort } from '#ground/http/access/own-hosts.ts'
import { mayShareCookies } from '#ground/http/access/other-hosts.ts'

/** `reason`: no other hostname is configured, it shares cookies with Docket, or the browser uses Docket by IP address. */
export type PreviewPlace =
  | { isolation: 'own_host'; origin: string }
  | { isolation: 'sandbox'; origin: string; reason: 'no_host' | 'shared_cookies' | 'by_number' }

/** Folder of Docket's address in which sandboxed previews live. */
export const sandboxFolder = '/preview/'

const readName = (host: string) => host.replace(/:\d+$/, '').toLowerCase()

/** Decides where previews open. `secret` is the instance secret, from which the name on one computer derives. */
export const createPreviewHosts = (deps: { hosts: OwnHosts; previewUrl: PreviewAddress | null; secret: string }) => {
  const { hosts, previewUrl } = deps
  // A separate name, because to a browser only names with a different second-to-last label are different sites.
  const localName = `previews-${createHmac('sha256', deps.secret).update('previews').digest('hex').slice(0, 12)}.localhost`
  const hasOwnName = (host: string) => hosts.ownName !== null && readName(host) === hosts.ownName

  /** Scheme and parent name of preview hosts for a browser that uses Docket at `host`, or why there are none. */
  const findParent = (
    host: string,
  ): { scheme: string; parent: string } | 'no_host' | 'shared_cookies' | 'by_number' => {
    if (previewUrl !== null)
      return mayShareCookies(readName(previewUrl.parent), readName(host))
        ? 'shared_cookies'
        : { scheme: previewUrl.scheme, parent: previewUrl.parent }
    if (hasOwnName(host)) return { scheme: 'http:', parent: `${localName}${readPort(host)}` }
    return hosts.ownName === null ? 'no_host' : 'by_number'
  }
  const findOrigin = (host: string) =>
    host.toLowerCase() === hosts.publicUrl?.host ? hosts.publicUrl.origin : `http://${host.toLowerCase()}`

  return {
    /** Origin of Docket's pages for a browser that uses it at `host`. */
    findOrigin,
    /** Where the preview with this label opens for a browser that uses Docket at `host`. */
    place: (host: string, label: string): PreviewPlace => {
      const found = findParent(host)
      return typeof found === 'string'
        ? { isolation: 'sandbox', origin: findOrigin(host), reason: found }
        : { isolation: 'own_host', origin: `${found.scheme}//${label}.${found.parent}` }
    },
    /** Label of a preview's host; null for every other host. */
    readLabel: (host: string | undefined): string | null => {
      const [, label = null, parent = ''] = /^([a-z0-9-]+)\.(.+)$/.exec(host?.toLowerCase() ?? '') ?? []
      const isParent = previewUrl === null ? readName(parent) === localName : parent === previewUrl.parent
      return isParent && !isOwnHost(host, hosts) ? label : null
    },
    isDocket: (host: string | undefined): boolean => isOwnHost(host, hosts),
    /** What pages of Docket at `host` may frame, for a content security policy. */
    frameSources: (host: string): string => {
      const found = findParent(host)
      return typeof found === 'string' ? `${findOrigin(host)}${sandboxFolder}` : `${found.scheme}//*.${found.parent}`
    },
  }
}

export type PreviewHosts = ReturnType<typeof createPreviewHosts>
