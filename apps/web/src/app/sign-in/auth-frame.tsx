import { Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Logo } from '#app/frame/logo.tsx'
import { ThemeSwitch } from '#app/theme/theme-switch.tsx'
import { useTabTitle } from '#app/titles/page-title.ts'
import { buttonClass } from '#ui/buttons/button.tsx'
import { HelpLink } from '#ui/links/help-link.tsx'

export const AuthFrame = ({ children }: { children: ReactNode }) => (
  <div className="mx-auto flex min-h-dvh w-full max-w-md flex-col px-4 py-6 sm:py-12">
    <header className="mb-6 flex items-center justify-between">
      <span className="flex items-center gap-2 text-lg font-semibold tracking-tight">
        <Logo />
        Docket
      </span>
      <span className="flex items-center gap-1">
        <HelpLink page="" className={buttonClass({ variant: 'quiet' })}>
          Help
        </HelpLink>
        <ThemeSwitch />
      </span>
    </header>
    <main id="main" tabIndex={-1} className="outline-none">
      {children}
    </main>
  </div>
)

export const AuthPages = () => {
  useTabTitle()
  return (
    <AuthFrame>
      <Outlet />
    </AuthFrame>
  )
}
