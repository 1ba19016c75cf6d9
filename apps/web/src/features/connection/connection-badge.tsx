import { isNotSignedIn } from '#lib/api-error.ts'
import { StateMark } from '#ui/state-mark.tsx'
import { labelConnection, formatHost } from './connection-state.ts'
import { useStatus } from './connection.queries.ts'

/** State and host of the connection. `compact` omits the host. */
export const ConnectionBadge = ({ compact = false }: { compact?: boolean }) => {
  const { data, error: failure } = useStatus()
  const error = isNotSignedIn(failure) ? null : failure
  const labels = data ? labelConnection(data) : null
  const tone = error ? 'failed' : (labels?.tone ?? 'waiting')
  const word = error ? 'Docket in trouble' : (labels?.word ?? 'Connecting…')
  return (
    <span className="flex min-w-0 items-center gap-2">
      <StateMark tone={tone} />
      <span className="min-w-0">
        <span className="block truncate text-sm font-medium">{word}</span>
        {!compact && (
          <span className="block h-4 truncate text-xs text-muted">
            {data && (data.mode === 'local' ? 'embedded service' : formatHost(data.connection.origin))}
          </span>
        )}
      </span>
    </span>
  )
}
