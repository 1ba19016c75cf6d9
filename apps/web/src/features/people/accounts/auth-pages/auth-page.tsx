import type { ReactNode } from 'react'

export const AuthPage = ({ title, lead, children }: { title: string; lead?: ReactNode; children?: ReactNode }) => (
  <div className="panel p-5 sm:p-6">
    <h1 className="text-xl font-semibold tracking-tight wrap-anywhere">{title}</h1>
    {lead && <div className="mt-1.5 text-sm text-muted wrap-anywhere">{lead}</div>}
    {children && <div className="mt-5">{children}</div>}
  </div>
)
