import type { ReactNode } from 'react'

type PageHeaderProps = { title: ReactNode; children?: ReactNode; actions?: ReactNode }

export const PageHeader = ({ title, children, actions }: PageHeaderProps) => (
  <header className="mb-5 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
    <div className="min-w-0">
      <h1 dir="auto" className="text-xl font-semibold tracking-tight wrap-anywhere">
        {title}
      </h1>
      {children && <div className="mt-0.5 text-sm text-muted">{children}</div>}
    </div>
    {actions && <div className="flex max-w-full flex-wrap items-center gap-2">{actions}</div>}
  </header>
)
