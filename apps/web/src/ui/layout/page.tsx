import { useId, type ReactNode } from 'react'
import { ApiError, isNotSignedIn, toMessage } from '#lib/api/api-error.ts'
import { isNoAnswer } from '#lib/api/connectivity.ts'
import { Button } from '#ui/buttons/button.tsx'
import { useConnectivityFailure } from '#ui/live/connectivity-context.ts'
import { Ago } from '#ui/live/ticking.tsx'
import { Notice } from '#ui/messages/notice.tsx'

export const Skeleton = ({ className }: { className: string }) => (
  <div aria-hidden="true" className={`animate-breathe rounded-sm bg-idle-soft ${className}`} />
)

type LoadingProps = { label?: string; lines: readonly string[]; className?: string }

/** Stands in for data that is being read. `lines`: the look of each skeleton. Screen readers hear the label. */
export const Loading = ({ label, lines, className }: LoadingProps) => (
  <div {...(label ? { role: 'status', 'aria-label': label } : { 'aria-busy': true })} className={className}>
    {lines.map((line, nth) => (
      <Skeleton key={nth} className={line} />
    ))}
  </div>
)

type ReadStateProps = {
  query: { data: unknown; error: unknown; dataUpdatedAt: number; refetch: () => unknown }
  /** Stands in for the data until the first response. */
  waiting?: ReactNode
}

/** Shows `waiting` before the first response, and why a read failed with the age of the data on screen, unless the banner does. */
export const ReadState = ({ query: { data, error, dataUpdatedAt, refetch }, waiting }: ReadStateProps) => {
  const isSaid = useConnectivityFailure() !== null && isNoAnswer(error)
  if (!error) return data === undefined && waiting
  return isSaid || isNotSignedIn(error) ? null : (
    <div className="mb-3">
      <Notice tone="attention" role="status" action={<Button onClick={() => void refetch()}>Try now</Button>}>
        {dataUpdatedAt > 0 ? 'Could not refresh' : 'Could not load'}: {toMessage(error)}{' '}
        {dataUpdatedAt > 0 && (
          <>
            Showing data from <Ago at={new Date(dataUpdatedAt).toISOString()} />.
          </>
        )}
        {error instanceof ApiError && error.requestId && (
          <span className="text-xs text-muted"> Request {error.requestId}.</span>
        )}
      </Notice>
    </div>
  )
}

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
