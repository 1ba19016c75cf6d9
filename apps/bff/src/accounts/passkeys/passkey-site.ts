import { isIP } from 'node:net'
import type { OwnHosts } from '#http/access/own-hosts.ts'

/** Where passkeys belong to: browsers bind them to `rpId`, and say from which `origin` one was used. */
export type PasskeySite = { rpId: string; origin: string }

const isName = ({ hostname }: URL) => isIP(hostname.replace(/^\[|\]$/g, '')) === 0

/** The passkey site for a browser at `host`; null for IP addresses, where browsers refuse passkeys. */
export const passkeySite = ({ publicUrl, ownName }: OwnHosts, host: string | undefined): PasskeySite | null => {
  const given = host?.toLowerCase()
  if (given === undefined) return null
  if (publicUrl !== null)
    return given === publicUrl.host && isName(publicUrl) ? { rpId: publicUrl.hostname, origin: publicUrl.origin } : null
  const rpId = given.replace(/:\d{1,5}$/, '')
  return rpId === 'localhost' || rpId === ownName ? { rpId, origin: `http://${given}` } : null
}

/** Why not, and where they do work. */
export const noPasskeysHere = ({ publicUrl }: OwnHosts): string => {
  if (publicUrl !== null && !isName(publicUrl))
    return 'Passkeys need a host name, and PUBLIC_URL is an address. Sign in another way.'
  // Docket's own name must not reach callers without a session.
  const there = publicUrl?.origin ?? 'the address that Docket printed when it started'
  return `Passkeys do not work at this address. Open ${there} to use them.`
}
