import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef, type ReactNode } from 'react'

export const tabClass =
  '-mb-px flex h-9 shrink-0 items-center gap-1.5 border-b-2 border-transparent px-2 text-sm font-medium text-muted hover:text-text focus-visible:outline-offset-[-2px] aria-[current=page]:border-accent aria-[current=page]:text-text sm:px-3'

/** Links to the parts of a page, in one line. Scrolls the current one into view. */
export const Tabs = ({ label, children }: { label: string; children: ReactNode }) => {
  const nav = useRef<HTMLElement>(null)
  const pathname = useLocation({ select: (location) => location.pathname })
  useEffect(() => {
    const current = nav.current?.querySelector<HTMLElement>('[aria-current]')
    if (current && nav.current) nav.current.scrollLeft = current.offsetLeft - nav.current.offsetLeft - 40
  }, [pathname])
  return (
    <nav
      ref={nav}
      aria-label={label}
      className="-mx-4 mb-5 flex overflow-x-auto border-b border-line pl-2 [scrollbar-width:none] sm:mx-0 sm:gap-1 sm:px-0"
    >
      {children}
    </nav>
  )
}
