import type { SiteSlots } from '#features/sites/site-view.tsx'

/** What other features show on the page of a site, and in the dialog that promotes. */
export const siteSlots: SiteSlots = {}
