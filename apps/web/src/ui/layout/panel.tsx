import { useId, type ReactNode } from 'react'

type PanelProps = {
  title: string
  lead?: ReactNode
  action?: ReactNode
  /** Without a frame, inside another panel. */
  plain?: boolean
  children?: ReactNode
}

export const Panel = ({ title, lead, action, plain = false, children }: PanelProps) => {
  const id = useId()
  return (
    <section aria-labelledby={id} className={plain ? 'min-w-0' : 'panel min-w-0 p-5'}>
      <div
        className={`flex min-h-6 gap-x-4 gap-y-2 not-last:mb-3 ${lead ? 'flex-wrap items-start' : 'items-center'} ${plain ? '' : 'justify-between'}`}
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
