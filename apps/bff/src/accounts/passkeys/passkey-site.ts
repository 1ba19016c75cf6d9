import { isIP } from 'node:net'

/** Where passkeys belong to: browsers bind them to `rpId`, and say from which `origin` one was used. */
export type PasskeySite = { rpId: string; origin: string }

/** The name passkeys of a Docket belong to; null where it has none that browsers accept, for they refuse addresses. */
export const relyingParty = (publicUrl: URL | null): string | null => {
  const name = publicUrl?.hostname ?? 'localhost'
  return isIP(name.replace(/^\[|\]$/g, '')) === 0 ? name : null
}

/** The site a browser is on that came to `host`; null when passkeys do not work there. */
export const passkeySite = (publicUrl: URL | null, host: string | undefined): PasskeySite | null => {
  const rpId = relyingParty(publicUrl)
  const name = host?.toLowerCase()
  if (rpId === null || name === undefined) return null
  if (publicUrl !== null) return name === publicUrl.host ? { rpId, origin: publicUrl.origin } : null
  return /^localhost(:\d{1,5})?$/.test(name) ? { rpId, origin: `http://${name}` } : null
}

/** Why not, and where they do work. */
export const noPasskeysHere = (publicUrl: URL | null, host: string | undefined): string => {
  if (publicUrl !== null && relyingParty(publicUrl) === null)
    return 'Passkeys need a host name, and PUBLIC_URL is an address. Sign in another way.'
  const port = /:\d{1,5}$/.exec(host ?? '')?.[0] ?? ''
  return `Passkeys do not work at this address. Open ${publicUrl?.origin ?? `http://localhost${port}`} to use them.`
}
