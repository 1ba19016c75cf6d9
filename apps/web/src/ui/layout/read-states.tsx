import { ApiError, isNotSignedIn, toMessage } from '#lib/api/api-error.ts'
import { isNoAnswer } from '#lib/api/connectivity.ts'
import { Button } from '#ui/buttons/button.tsx'
import { Notice } from '#ui/messages/notice.tsx'
import { useConnectivityFailure } from '#ui/live/connectivity-context.ts'
import { Ago } from '#ui/live/ticking.tsx'

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

/** Reports a failed read and the age of the data on screen, unless the banner does. `dataUpdatedAt` 0: there is no data. */
export const StaleNotice = ({
  error,
  dataUpdatedAt,
  onRetry,
}: {
  error: unknown
  dataUpdatedAt: number
  onRetry: () => void
}) => {
  const isSaid = useConnectivityFailure() !== null && isNoAnswer(error)
  return isSaid || isNotSignedIn(error) ? null : (
    <div className="mb-3">
      <Notice tone="attention" role="status" action={<Button onClick={onRetry}>Try now</Button>}>
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
