import type { Site } from '@docket/api-types/sites'

type MovedAddress = { from: string; to: string }

/** True for a label that is valid as far as the page can check. */
export const isValidLabel = (label: string): boolean => /^[a-z0-9](?!.*--)[a-z0-9-]{0,38}[a-z0-9]$/.test(label)

const moveHostname = (hostname: string, before: string, after: string): string => {
  const [first = '', ...rest] = hostname.split('.')
  if (first === before) return [after, ...rest].join('.')
  return first.endsWith(`--${before}`) ? [first.slice(0, -before.length) + after, ...rest].join('.') : hostname
}

/**
 * New addresses of a site after a change of its label, hosted channels first. A channel with its own hostname keeps it. `docket` is the
 * address of Docket, which serves the bundles.
 */
export const moveAddresses = (
  { label, channels }: Pick<Site, 'label' | 'channels'>,
  next: string,
  docket: string,
): MovedAddress[] => {
  if (next === label) return []
  const hosted = channels.flatMap(({ address, hostname }) => {
    if (address === null || hostname !== null) return []
    const url = new URL(address)
    url.hostname = moveHostname(url.hostname, label, next)
    return url.href === new URL(address).href ? [] : [{ from: address, to: url.href }]
  })
  const bundles = { from: `${docket}/sites/${label}/…`, to: `${docket}/sites/${next}/…` }
  return [...hosted, bundles]
}
