import { destinations } from './navigation.tsx'

/** Title of the page at an address, for the tab. */
export const titleOf = (pathname: string): string => {
  if (/^\/exports\/./u.test(pathname)) return 'Export'
  if (/^\/agent-jobs\/./u.test(pathname)) return 'Agent job'
  return destinations.find(({ to }) => to === pathname.replace(/(?<=.)\/$/u, ''))?.name ?? 'Not found'
}
