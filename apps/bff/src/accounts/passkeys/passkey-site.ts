import { isIP } from 'node:net'
import type { OwnHosts } from '#http/access/own-hosts.ts'

/** Host name to which browsers bind a passkey, and origin at which they use it. */
export type PasskeySite = { rpId: string; origin: string }

const isName = ({ hostname }: URL) => isIP(hostname.replace(/^\[|\]$/g, '')) === 0

/** Returns the site of a browser at `host`. Null for IP addresses, where browsers refuse passkeys. */
export const passkeySite = ({ publicUrl, ownName }: OwnHosts, host: string | undefined): PasskeySite | null => {
  const given = host?.toLowerCase()
  if (given === undefined) return null
  if (publicUrl !== null)
    return given === publicUrl.host && isName(publicUrl) ? { rpId: publicUrl.hostname, origin: publicUrl.origin } : null
  const rpId = given.replace(/:\d{1,5}$/, '')
  return rpId === 'localhost' || rpId === ownName ? { rpId, origin: `http://${given}` } : null
}

/** Explains where passkeys work. */
export const explainNoPasskeys = ({ publicUrl }: OwnHosts): string => {
  if (publicUrl !== null && !isName(publicUrl))
    return 'Passkeys need a host name, and PUBLIC_URL is an address. Sign in another way.'
  // Docket's own name must not reach callers without a session.
  const there = publicUrl?.origin ?? 'the address that Docket printed when it started'
  return `Passkeys do not work at this address. Open ${there} to use them.`
}
