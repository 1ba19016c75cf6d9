import { useId, type ReactNode } from 'react'

type PanelProps = { title: string; lead?: ReactNode; action?: ReactNode; children?: ReactNode }

export const Panel = ({ title, lead, action, children }: PanelProps) => {
  const id = useId()
  return (
    <section aria-labelledby={id} className="panel min-w-0 p-5">
      <div
        className={`flex min-h-6 justify-between gap-x-4 gap-y-2 not-last:mb-3 ${lead ? 'flex-wrap items-start' : 'items-center'}`}
      >
        <div className={lead ? 'min-w-0 flex-1 basis-60' : ''}>
          <h2 id={id} className="text-base font-semibold">
            {title}
          </h2>
          {lead && <div className="mt-0.5 max-w-prose text-sm text-muted">{lead}</div>}
        </div>
        {action}
      </div>
      {children}
    </section>
  )
}
