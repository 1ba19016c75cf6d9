import { useId, type ReactNode } from 'react'

type SectionProps = { title: string; lead?: ReactNode; action?: ReactNode; children?: ReactNode }

export const Section = ({ title, lead, action, children }: SectionProps) => {
  const id = useId()
  return (
    <section aria-labelledby={id} className="panel p-5">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          <h2 id={id} className="text-base font-semibold">
            {title}
          </h2>
          {lead && <div className="mt-0.5 max-w-prose text-sm text-muted">{lead}</div>}
        </div>
        {action}
      </div>
      {children && <div className="mt-4 empty:hidden">{children}</div>}
    </section>
  )
}
