import type { AccountSession } from '@docket/api-types/accounts'
import { Monitor } from 'lucide-react'
import type { ReactNode } from 'react'
import { Ago, Instant } from '#ui/live/ticking.tsx'
import { StateLabel } from '#ui/marks/state-mark.tsx'

type SessionListProps = { items: readonly AccountSession[]; renderAction?: (session: AccountSession) => ReactNode }

export const SessionList = ({ items, renderAction }: SessionListProps) => (
  <ul aria-label="Sessions" className="-my-1 divide-y divide-line text-sm">
    {items
      .toSorted((a, b) => Number(b.current) - Number(a.current) || b.lastSeenAt.localeCompare(a.lastSeenAt))
      .map((session) => (
        <li key={session.sessionId} className="flex flex-wrap items-center gap-x-3 gap-y-2 py-2.5">
          <Monitor className="size-4 shrink-0 text-muted" aria-hidden="true" />
          <span className="min-w-0 flex-1 basis-48">
            <span className="flex flex-wrap items-center gap-x-3 font-medium">
              <span className="wrap-anywhere">{session.device}</span>
              {session.current && <StateLabel tone="done">This browser</StateLabel>}
            </span>
            <span className="block text-xs text-muted wrap-anywhere">
              {session.address && `${session.address}, `}last used <Ago at={session.lastSeenAt} />, signed in{' '}
              <Instant at={session.createdAt} />
            </span>
          </span>
          {renderAction?.(session)}
        </li>
      ))}
  </ul>
)
