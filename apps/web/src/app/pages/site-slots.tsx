import type { SiteSlots } from '#features/sites/site-view.tsx'

/** What other features show on the page of a site. */
export const siteSlots: SiteSlots = {}
