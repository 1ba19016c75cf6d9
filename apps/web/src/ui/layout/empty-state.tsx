import type { ReactNode } from 'react'

type EmptyStateProps = { icon: ReactNode; title: string; children: ReactNode; action?: ReactNode; panel?: boolean }

export const EmptyState = ({ icon, title, children, action, panel = false }: EmptyStateProps) => (
  <div className={`${panel ? 'panel ' : ''}flex flex-col items-center px-6 py-10 text-center`}>
    <div className="mb-3 text-muted [&>svg]:size-8" aria-hidden="true">
      {icon}
    </div>
    <p className="text-base font-semibold">{title}</p>
    <div className="mt-1 max-w-md text-sm text-balance text-muted">{children}</div>
    {action && <div className="mt-4">{action}</div>}
  </div>
)
