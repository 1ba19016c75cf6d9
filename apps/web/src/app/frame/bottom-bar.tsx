import { NavLink } from '#ui/links/link.tsx'
import { destinations } from './navigation.tsx'

/** Navigation on narrow screens, within reach of the thumb. */
export const BottomBar = () => (
  <nav
    aria-label="Main"
    className="fixed inset-x-0 bottom-0 z-20 flex border-t border-line bg-sunken pb-[env(safe-area-inset-bottom)] low:static"
  >
    {destinations.map(({ to, within, name, icon: Icon }) => (
      <NavLink
        key={to}
        to={to}
        within={within}
        className="flex h-14 flex-auto flex-col items-center justify-center gap-0.5 text-center text-[0.6875rem] leading-4 font-medium text-muted aria-[current=page]:text-accent"
      >
        <Icon className="size-5" strokeWidth={1.75} aria-hidden="true" />
        {name}
      </NavLink>
    ))}
  </nav>
)
