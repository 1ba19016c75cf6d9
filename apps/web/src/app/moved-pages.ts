/** Addresses of earlier versions and the pages that have their contents now. A redirect keeps search and hash. */
export const movedPages = {
  '/sites': '/',
  '/code': '/agent-jobs/pulls',
  '/availability': '/settings/connections',
  '/connection': '/settings/connections',
  '/settings': '/settings/connections',
  '/settings/connection': '/settings/connections',
  '/settings/account': '/account',
} as const

/** Search parameters with which a moved page shows what the address used to. */
export const findMovedSearch = (pathname: string): { show?: 'files' } =>
  /^\/exports\/[^/]+\/files\/?$/.test(pathname) ? { show: 'files' } : {}

/** Address of the page that is shown for `pathname`. */
export const findMovedPage = (pathname: string): string => {
  const bare = pathname.replace(/(.)\/$/, '$1')
  const part = /^(\/exports\/[^/]+)\/(?:pages|files)$/.exec(bare)
  return part ? `${part[1]}/contents` : (Object.entries(movedPages).find(([old]) => old === bare)?.[1] ?? pathname)
}
