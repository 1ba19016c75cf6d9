import type { AuditEvent } from '@docket/api-types/audit'
import { formatClock, formatUtc } from '#lib/format.ts'
import { StateLabel } from '#ui/state-mark.tsx'
import { formatDetails, outcomeLabels, describeAction } from './audit-labels.ts'

const tones = { refused: 'attention', failed: 'failed' } as const

/** One audit event. */
export const AuditRow = ({ event, onActor }: { event: AuditEvent; onActor: (actorId: string) => void }) => {
  const { at, actor, address, outcome, target, requestId } = event
  const details = formatDetails(event)
  return (
    <li className="grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-4 gap-y-1 px-4 py-2.5 text-sm sm:grid-cols-[5.5rem_minmax(0,11rem)_minmax(0,1fr)]">
      <time dateTime={at} title={formatUtc(at)} className="text-muted">
        {formatClock(at)}
      </time>
      <div className="min-w-0">
        {actor.id === null ? (
          <bdi className="wrap-anywhere">{actor.name}</bdi>
        ) : (
          <button
            type="button"
            title={`Only what ${actor.name} did`}
            onClick={() => onActor(actor.id!)}
            className="max-w-full min-h-6 min-w-6 rounded-sm text-left font-medium wrap-anywhere hover:underline"
          >
            <bdi>{actor.name}</bdi>
          </button>
        )}
        <p className="text-xs wrap-anywhere text-muted">
          {actor.kind === 'token' && 'API token '}
          {address}
        </p>
      </div>
      <div className="min-w-0 max-sm:col-span-2">
        <p className="wrap-anywhere">
          {describeAction(event)}
          {target?.name && target.id !== actor.id && (
            <>
              {' '}
              <bdi className="font-medium">{target.name}</bdi>
            </>
          )}
          {outcome !== 'ok' && (
            <span className="ml-2 text-xs">
              <StateLabel tone={tones[outcome]}>{outcomeLabels[outcome]}</StateLabel>
            </span>
          )}
        </p>
        {details !== '' && <p className="text-xs wrap-anywhere text-muted">{details}</p>}
        {requestId !== null && outcome !== 'ok' && (
          <p className="text-xs wrap-anywhere text-muted">Request {requestId}</p>
        )}
      </div>
    </li>
  )
}
