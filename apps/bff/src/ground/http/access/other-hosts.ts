import { readHostName } from './own-hosts.ts'

/**
 * True when a page of one name may set cookies for the other. Both then share a registrable domain, which has at least two labels. Some
 * names that share two labels belong to different owners (`co.uk`); they count as shared too.
 */
export const mayShareCookies = (one: string, other: string): boolean => {
  const [a, b] = [one, other].map((name) => name.toLowerCase().split('.').toReversed())
  return a![0] === b![0] && (a!.length === 1 || b!.length === 1 || a![1] === b![1])
}

/** Wildcard address of a setting: the host, perhaps with a port, below which each preview or site has a name. */
type Wildcard = { parent: string }

const isLocalhostName = (name: string) => /(^|\.)localhost$/.test(name)
const isNameBelow = (name: string, parent: string) => name === parent || name.endsWith(`.${parent}`)

/** True when names below one parent can also be names below the other. Takes host names, with or without ports. */
export const mayNamesOverlap = (one: string, other: string): boolean => {
  const [a, b] = [readHostName(one), readHostName(other)]
  return isNameBelow(a, b) || isNameBelow(b, a)
}

/** Consequence of a domain shared with Docket, and of an unreachable name, for each of the two settings. */
const purposes = {
  PREVIEW_URL: {
    shared: 'previews open in a sandbox at Docket’s own address',
    subject: 'previews',
  },
  HOSTING_URL: {
    shared: 'Docket hosts no site below it',
    subject: 'hosted sites',
  },
} as const

/** Reasons why `PREVIEW_URL` and `HOSTING_URL` don't work as set, each with advice. Empty when they do. */
export const findHostProblems = (settings: {
  publicUrl: URL | null
  previewUrl: Wildcard | null
  hostingUrl: Wildcard | null
}): string[] => {
  const { publicUrl, previewUrl, hostingUrl } = settings
  const own = publicUrl?.hostname ?? null
  const findOwn = (name: keyof typeof purposes, address: Wildcard | null): string[] => {
    const { shared, subject } = purposes[name]
    const parent = address === null ? null : readHostName(address.parent)
    if (parent === null || own === null) return []
    if (mayShareCookies(parent, own))
      return [`${name} shares a domain with PUBLIC_URL, so ${shared}. Name another domain.`]
    return isLocalhostName(parent) && !isLocalhostName(own)
      ? [`${name} is below localhost, so browsers look for ${subject} on their own computer. Name another domain.`]
      : []
  }
  return [
    ...findOwn('PREVIEW_URL', previewUrl),
    ...findOwn('HOSTING_URL', hostingUrl),
    ...(previewUrl !== null && hostingUrl !== null && mayNamesOverlap(previewUrl.parent, hostingUrl.parent)
      ? ['HOSTING_URL overlaps with PREVIEW_URL, so Docket hosts no site below it. Name another domain.']
      : []),
    ...(hostingUrl !== null && publicUrl === null && !isLocalhostName(readHostName(hostingUrl.parent))
      ? ['HOSTING_URL is set without PUBLIC_URL, so Docket sends readers to localhost to sign in. Set PUBLIC_URL.']
      : []),
  ]
}
