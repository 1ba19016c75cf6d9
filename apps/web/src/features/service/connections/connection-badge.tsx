import type { Connection } from '@docket/api-types/connections'
import type { Status } from '@docket/api-types/status'
import { isNotSignedIn } from '#lib/api/api-error.ts'
import { findConnection, isActiveConnection } from '#lib/connections/connections.ts'
import { useChosenConnection } from '#ui/connections/use-connections.ts'
import { StateMark, type Tone } from '#ui/marks/state-mark.tsx'
import { labelConnection, formatHost } from './connection-state.ts'
import { useStatus } from './connection.queries.ts'

type Badge = { tone: Tone; word: string; place: string | null }

const describeOneConnection = (connection: Connection, place: string): Badge => {
  const { tone, word } = labelConnection(connection)
  return { tone, word, place: connection.kind === 'embedded' ? 'embedded service' : place }
}

export const describeStatus = ({ connections, connection: first }: Status, chosen: string): Badge => {
  const one = findConnection(connections, chosen) ?? (connections.length === 1 ? connections[0]! : null)
  if (one)
    return describeOneConnection(
      one,
      one === connections.find(isActiveConnection) ? formatHost(first.origin) : one.name,
    )
  const active = connections.filter(isActiveConnection)
  if (active.length === 0) return { tone: 'idle', word: 'No service', place: null }
  const labels = active.map(labelConnection)
  const bad = labels.filter(({ trouble }) => trouble)
  const place = `${active.length} ${active.length === 1 ? 'connection' : 'connections'}`
  if (bad.length === 0) return { tone: 'done', word: 'Connected', place }
  const tone = bad.some((label) => label.tone === 'failed') ? 'failed' : 'attention'
  return { tone, word: bad.length === 1 ? bad[0]!.word : 'Problems', place: `${bad.length} of ${place}` }
}

export const ConnectionBadge = ({ compact = false }: { compact?: boolean }) => {
  const { data, error: failure } = useStatus()
  const chosen = useChosenConnection()
  const error = isNotSignedIn(failure) ? null : failure
  const badge = data ? describeStatus(data, chosen) : null
  return (
    <span className="flex min-w-0 items-center gap-2">
      <StateMark tone={error ? 'failed' : (badge?.tone ?? 'waiting')} />
      <span className="min-w-0">
        <span className="block truncate text-sm font-medium">
          {error ? 'Docket has a problem' : (badge?.word ?? 'Connecting…')}
        </span>
        {!compact && <span className="block h-4 truncate text-xs text-muted">{badge?.place}</span>}
      </span>
    </span>
  )
}
