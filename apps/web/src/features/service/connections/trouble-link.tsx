import type { Status } from '@docket/api-types/status'
import { isNotSignedIn } from '#lib/api/api-error.ts'
import { findConnection, isActiveConnection } from '#lib/connections/connections.ts'
import { useChosenConnection } from '#ui/connections/connections.tsx'
import { Link } from '#ui/links/link.tsx'
import { StateMark, type Tone } from '#ui/marks/state-mark.tsx'
import { labelConnection, formatHost } from './connection-state.ts'
import { useStatus } from './connection.queries.ts'

type Trouble = { tone: Tone; word: string; place: string | null }

/** Trouble of the chosen connection, or of all; null while there is none. */
export const describeTrouble = ({ connections, connection: first }: Status, chosen: string): Trouble | null => {
  const active = connections.filter(isActiveConnection)
  const one = findConnection(connections, chosen) ?? (connections.length === 1 ? connections[0]! : null)
  if (!one && active.length === 0) return { tone: 'idle', word: 'No service', place: null }
  const bad = (one ? [one] : active).map(labelConnection).filter(({ trouble }) => trouble)
  if (bad.length === 0) return null
  const { tone, word } = bad.find((label) => label.tone === 'failed') ?? bad[0]!
  if (one) return { tone, word, place: one === active[0] ? formatHost(first.origin) : one.name }
  return {
    tone,
    word: bad.length === 1 ? word : 'Problems',
    place: `${bad.length} of ${active.length} ${active.length === 1 ? 'connection' : 'connections'}`,
  }
}

/** Link to the connections. Rendered only while one of them, or Docket itself, has a problem. */
export const TroubleLink = ({ compact = false }: { compact?: boolean }) => {
  const { data, error: failure } = useStatus()
  const chosen = useChosenConnection()
  const error = isNotSignedIn(failure) ? null : failure
  const trouble = error || !data ? null : describeTrouble(data, chosen)
  if (!error && !trouble) return null
  return (
    <Link
      to="/settings/connections"
      className={`flex min-w-0 items-center gap-2 rounded-md hover:bg-hover ${compact ? 'px-1.5 py-1' : 'border border-line bg-surface px-2.5 py-2'}`}
    >
      <StateMark tone={trouble?.tone ?? 'failed'} />
      <span className="min-w-0">
        <span className="block truncate text-sm font-medium">{trouble?.word ?? 'Docket has a problem'}</span>
        {!compact && <span className="block h-4 truncate text-xs text-muted">{trouble?.place}</span>}
      </span>
    </Link>
  )
}
