import { linkOptions } from '@tanstack/react-router'

export const buildDomainLink = (domain: string) => linkOptions({ to: '/domains/$domain', params: { domain } })

/** The hostname in ASCII, as records store it. Other text stays unchanged. */
export const toAsciiDomain = (domain: string): string =>
  URL.canParse(`http://${domain}`) ? new URL(`http://${domain}`).hostname : domain
