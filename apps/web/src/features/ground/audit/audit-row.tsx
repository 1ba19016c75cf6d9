import type { AuditResult, ListedAuditEvent } from '@docket/api-types/audit'
import { formatClock, formatUtc } from '#lib/text/format.ts'
import { StateLabel, type Tone } from '#ui/marks/state-mark.tsx'
import { describeAction, formatDetails, readResult, resultLabels } from './audit-labels.ts'

const tones: Readonly<Record<Exclude<AuditResult, 'ok'>, Tone>> = {
  refused: 'attention',
  failed: 'failed',
  refused_by_service: 'failed',
  unavailable: 'failed',
  unknown: 'attention',
  pending: 'waiting',
}

const Result = ({ result }: { result: AuditResult | null }) => {
  if (result === null) return null
  if (result === 'ok') return <span className="text-muted">{resultLabels.ok}</span>
  return <StateLabel tone={tones[result]}>{resultLabels[result]}</StateLabel>
}

export const AuditRow = ({ event, onActor }: { event: ListedAuditEvent; onActor: (actorId: string) => void }) => {
  const { at, actor, address, target, requestId } = event
  const details = formatDetails(event)
  const result = readResult(event)
  const name = target?.id === actor.id ? null : (target?.name ?? null)
  return (
    <li className="grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-4 gap-y-1 px-4 py-2.5 text-sm sm:grid-cols-[5.5rem_minmax(0,11rem)_minmax(0,1fr)_11rem]">
      <time dateTime={at} title={formatUtc(at)} className="text-muted">
        {formatClock(at)}
      </time>
      <div className="min-w-0">
        {actor.id === null ? (
          <bdi className="wrap-anywhere">{actor.name}</bdi>
        ) : (
          <button
            type="button"
            title={`Only events of ${actor.name}`}
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
          {describeAction(event, name !== null)}
          {name !== null && (
            <>
              {' '}
              <bdi className="font-medium">{name}</bdi>
            </>
          )}
        </p>
        {details !== '' && <p className="text-xs wrap-anywhere text-muted">{details}</p>}
        {requestId !== null && result !== 'ok' && (
          <p className="text-xs wrap-anywhere text-muted">Request {requestId}</p>
        )}
      </div>
      <p className="text-xs max-sm:col-span-2 sm:pt-0.5">
        <span className="sr-only">Outcome: </span>
        <Result result={result} />
      </p>
    </li>
  )
}
