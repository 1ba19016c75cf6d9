import type { ReactNode } from 'react'
import { Logo } from './logo.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

const doors: ReadonlySet<string> = new Set(['/sign-in', '/setup', '/link'])

/** Whether a page is outside the app: it is shown to everybody, without what surrounds the others. */
export const isDoor = (pathname: string): boolean => doors.has(pathname)

/** What surrounds the pages outside: the name, and the theme. */
export const DoorFrame = ({ children }: { children: ReactNode }) => (
  <div className="mx-auto flex min-h-dvh w-full max-w-md flex-col px-4 py-6 sm:py-12">
    <header className="mb-6 flex items-center justify-between">
      <span className="flex items-center gap-2 text-lg font-semibold tracking-tight">
        <Logo />
        Docket
      </span>
      <ThemeSwitch />
    </header>
    <main id="main" tabIndex={-1} className="outline-none">
      {children}
    </main>
  </div>
)
