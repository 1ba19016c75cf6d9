import { linkOptions } from '@tanstack/react-router'

export const domainLink = (domain: string) => linkOptions({ to: '/domains/$domain', params: { domain } })

/** A hostname in ASCII, as records have it. Text that is none stays as it is. */
export const toAscii = (domain: string): string =>
  URL.canParse(`http://${domain}`) ? new URL(`http://${domain}`).hostname : domain
