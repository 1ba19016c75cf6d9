import type { BundlePage } from '#manifest.ts'

/** True for the address of the page that a host shows for missing addresses. */
export const isNotFoundAddress = (address: string): boolean => /^\/404\/?$/.test(address)

/** Pages that readers look for, as bundles count and list them: without redirects and the 404 page. */
export const listReaderPages = <Page extends Pick<BundlePage, 'address' | 'redirectsTo'>>(
  pages: readonly Page[],
): Page[] => pages.filter(({ address, redirectsTo }) => redirectsTo === null && !isNotFoundAddress(address))
