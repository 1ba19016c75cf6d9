import { createLink, useLocation } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

const isPathWithin = (pathname: string, href: string) =>
  pathname === href || (href !== '/' && pathname.startsWith(`${href}/`))

/** Link within the app, typed by its routes. Never marks the current page. */
export const Link = createLink(({ 'aria-current': _, ...rest }: ComponentProps<'a'>) => (
  // oxlint-disable-next-line jsx-a11y/anchor-has-content -- the content is in the rest
  <a {...rest} />
))

/**
 * Link of the navigation. Marks itself while its page, or one below a path of `within` (separated by spaces), is current; an `only` one
 * for its page alone.
 */
export const NavLink = createLink(
  ({
    href = '',
    // A link may keep a parameter of the address, such as the chosen connection.
    within = href.replace(/\?.*/, ''),
    only = false,
    ...rest
  }: ComponentProps<'a'> & { within?: string | undefined; only?: boolean }) => {
    const here = useLocation({
      select: ({ pathname }) =>
        only ? pathname === within : within.split(' ').some((path) => isPathWithin(pathname, path)),
    })
    // oxlint-disable-next-line jsx-a11y/anchor-has-content -- the content is in the rest
    return <a {...rest} href={href} aria-current={here ? 'page' : undefined} />
  },
)

/** Link to the page above, as a landmark. */
export const BackLink = createLink(({ 'aria-current': _, ...rest }: ComponentProps<'a'>) => (
  <nav aria-label="Back" className="mb-2 text-sm">
    {/* oxlint-disable-next-line jsx-a11y/anchor-has-content -- the content is in the rest */}
    <a {...rest} className="inline-flex h-6 items-center text-muted hover:text-text" />
  </nav>
))
