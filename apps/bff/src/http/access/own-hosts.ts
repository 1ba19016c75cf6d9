/** The names of a Docket beside the loopback addresses. `ownName` is null where `publicUrl` is set. */
export type OwnHosts = { publicUrl: URL | null; ownName: string | null }

const readPort = (host: string) => /:\d{1,5}$/.exec(host)?.[0] ?? ''
const readName = (host: string) => host.toLowerCase().replace(/:\d{1,5}$/, '')

/** Whether a `Host` header names this computer itself. Browsers send cookies of such a name to all its ports. */
export const isSharedHost = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(readName(host))

const hasOwnName = (host: string, { ownName }: OwnHosts) => ownName !== null && readName(host) === ownName

/** Whether a `Host` header is one of Docket's own names. Loopback ones may have any port: a tunnel may change it. */
export const isOwnHost = (host: string | undefined, hosts: OwnHosts): boolean =>
  host !== undefined && (isSharedHost(host) || hasOwnName(host, hosts) || host.toLowerCase() === hosts.publicUrl?.host)

/** Origins whose pages are Docket's own, for a request to `host`. */
export const ownOrigins = (host: string, hosts: OwnHosts): readonly string[] => [
  ...(hosts.publicUrl === null ? [] : [hosts.publicUrl.origin]),
  ...(isSharedHost(host) || hasOwnName(host, hosts) ? [`http://${host.toLowerCase()}`] : []),
]

/** Docket's own address, for a browser that came to `host`; null when it is there already, or Docket has no own name. */
export const ownAddress = (host: string | undefined, { ownName }: OwnHosts): string | null =>
  ownName !== null && host !== undefined && isSharedHost(host) ? `http://${ownName}${readPort(host)}` : null

/** Whether a page of `origin` may move to `host`: one at 127.0.0.1, localhost or ::1 on the same port. */
export const mayMoveHere = (origin: string, host: string, hosts: OwnHosts): boolean =>
  hasOwnName(host, hosts) &&
  ['localhost', '127.0.0.1', '[::1]'].some((name) => origin === `http://${name}${readPort(host)}`)

/**
 * Origins that pages under `host` may connect to beside their own. Every name under `localhost` is this computer, and its port is
 * Docket's, so this allows Docket only; the name itself would tell it to any program that asks for the page.
 */
export const otherConnections = (host: string, { ownName }: OwnHosts): string | null =>
  ownName !== null && isSharedHost(host) ? `http://*.localhost${readPort(host)}` : null
