/** Addresses of earlier versions and the pages that have their contents now. A redirect keeps search and hash. */
export const movedPages = {
  '/sites': '/',
  '/code': '/agent-jobs/pulls',
  '/connection': '/settings/connections',
  '/settings': '/settings/connections',
  '/settings/connection': '/settings/connections',
  '/settings/account': '/account',
} as const

/** Address of the page that is shown for `pathname`. */
export const findMovedPage = (pathname: string): string => {
  const bare = pathname.replace(/(.)\/$/, '$1')
  const part = /^(\/exports\/[^/]+)\/(?:pages|files)$/.exec(bare)
  return part ? `${part[1]}/contents` : (Object.entries(movedPages).find(([old]) => old === bare)?.[1] ?? pathname)
}
