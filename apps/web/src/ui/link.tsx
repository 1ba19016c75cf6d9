import { useSyncExternalStore, type ComponentProps, type MouseEvent } from 'react'
import { currentPlace, navigate } from '#lib/location.ts'

const isOrdinary = (event: MouseEvent) =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey

const pathnameOf = () => currentPlace.get().pathname

const isWithin = (pathname: string, href: string) =>
  pathname === href || (href !== '/' && pathname.startsWith(`${href}/`))

/** A link within the app: the page changes without a reload; with a modifier key it is a link like any other. */
export const Link = ({ href, ...rest }: ComponentProps<'a'> & { href: string }) => (
  // oxlint-disable-next-line jsx-a11y/anchor-has-content -- the content is in the rest
  <a
    {...rest}
    href={href}
    onClick={(event) => {
      if (!isOrdinary(event)) return
      event.preventDefault()
      navigate(href)
    }}
  />
)

/** A link of the navigation: it tells when its page, or one below it (or below `within`), is the current one. */
export const NavLink = ({
  href,
  within = href,
  ...rest
}: ComponentProps<'a'> & { href: string; within?: string | undefined }) => {
  const here = isWithin(useSyncExternalStore(currentPlace.subscribe, pathnameOf), within)
  return <Link {...rest} href={href} aria-current={here ? 'page' : undefined} />
}
