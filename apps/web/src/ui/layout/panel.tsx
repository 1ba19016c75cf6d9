import { useId, type ReactNode } from 'react'

export const Panel = ({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) => {
  const id = useId()
  return (
    <section aria-labelledby={id} className="panel min-w-0 p-5">
      <div className="flex min-h-6 items-center justify-between gap-4 not-last:mb-3">
        <h2 id={id} className="text-base font-semibold">
          {title}
        </h2>
        {action}
      </div>
      {children}
    </section>
  )
}
