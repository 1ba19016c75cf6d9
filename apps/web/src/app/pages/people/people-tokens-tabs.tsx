import { NavLink } from '#ui/links/link.tsx'

const linkClass =
  'inline-flex h-8 items-center rounded-md px-3 text-sm font-medium text-muted hover:text-text aria-[current=page]:bg-accent-soft aria-[current=page]:text-text'

export const PeopleTokensTabs = () => (
  <nav aria-label="People and tokens" className="mb-4 flex gap-1">
    <NavLink to="/settings/people" className={linkClass}>
      People
    </NavLink>
    <NavLink to="/settings/tokens" className={linkClass}>
      API tokens
    </NavLink>
  </nav>
)
