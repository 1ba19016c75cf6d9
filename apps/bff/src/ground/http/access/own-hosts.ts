/** Docket's host names besides the loopback addresses. `ownName` is null when `publicUrl` is set. */
export type OwnHosts = { publicUrl: URL | null; ownName: string | null }

/** The port of a `Host` header with its colon. Empty without one. */
export const readPort = (host: string) => /:\d{1,5}$/.exec(host)?.[0] ?? ''
export const readHostName = (host: string) => host.toLowerCase().replace(/:\d{1,5}$/, '')

/** True when a `Host` header names this computer. Browsers send cookies of such a name to every port. */
export const isSharedHost = (host: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(readHostName(host))

const hasOwnName = (host: string, { ownName }: OwnHosts) => ownName !== null && readHostName(host) === ownName

/**
 * True when a `Host` header is one of Docket's own names. Loopback names may have any port, because a tunnel may change
 * it.
 */
export const isOwnHost = (host: string | undefined, hosts: OwnHosts): boolean =>
  host !== undefined && (isSharedHost(host) || hasOwnName(host, hosts) || host.toLowerCase() === hosts.publicUrl?.host)

/** Origins of Docket's own pages, for a request to `host`. */
export const listOwnOrigins = (host: string, hosts: OwnHosts): readonly string[] => [
  ...(hosts.publicUrl === null ? [] : [hosts.publicUrl.origin]),
  ...(isSharedHost(host) || hasOwnName(host, hosts) ? [`http://${host.toLowerCase()}`] : []),
]

/** Docket's own address for a browser that requested `host`. Null when it is there already, or without an own name. */
export const findOwnAddress = (host: string | undefined, { ownName }: OwnHosts): string | null =>
  ownName !== null && host !== undefined && isSharedHost(host) ? `http://${ownName}${readPort(host)}` : null

/** True when a page of `origin` may move to `host`: a page at 127.0.0.1, localhost or ::1 on the same port. */
export const mayMoveHere = (origin: string, host: string, hosts: OwnHosts): boolean =>
  hasOwnName(host, hosts) &&
  ['localhost', '127.0.0.1', '[::1]'].some((name) => origin === `http://${name}${readPort(host)}`)

/**
 * Origins that pages under `host` may connect to besides their own. Every name under `localhost` is this computer, and
 * Docket owns its port, so the wildcard allows Docket only. Naming the host itself would reveal it to any program that
 * requests the page.
 */
export const findConnectableOrigins = (host: string, { ownName }: OwnHosts): string | null =>
  ownName !== null && isSharedHost(host) ? `http://*.localhost${readPort(host)}` : null
