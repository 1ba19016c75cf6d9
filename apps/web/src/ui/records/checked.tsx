import { useSyncExternalStore } from 'react'
import { explainDown, explainReadOnly } from '#lib/connections/connections.ts'
import {
  assessFreshness,
  freshnessLabels,
  type Checked,
  type Freshness,
  type FreshnessState,
} from '#lib/polling/freshness.ts'
import { currentWatching } from '#lib/polling/watching.ts'
import { nowMs, onTick } from '#lib/time/clock.ts'
import { useRecordConnection } from '#ui/connections/connections.tsx'
import { Ago } from '#ui/live/ticking.tsx'
import { StateLabel, toneText, type Tone } from '#ui/marks/state-mark.tsx'

const tones: Record<FreshnessState, Tone> = {
  settled: 'idle',
  fresh: 'done',
  late: 'attention',
  stale: 'attention',
  unwatched: 'idle',
  down: 'failed',
}

type CheckedProps = { record: Checked & { connectionId?: string | undefined }; live: boolean }

/** Renders again only when the text changes. */
const useFreshness = ({ record, live }: CheckedProps): Freshness => {
  const watching = useSyncExternalStore(currentWatching.subscribe, currentWatching.get)
  const connection = useRecordConnection(record)
  const readOnly = explainReadOnly(connection)
  const down = connection === null ? watching.down : explainDown(connection)
  const now = (): Freshness =>
    live && readOnly !== null
      ? { state: 'unwatched', next: 'no next check', why: readOnly }
      : assessFreshness(record, live, { ...watching, down }, nowMs())
  useSyncExternalStore(onTick, () => {
    const { state, next, why } = now()
    return `${state} ${next} ${why}`
  })
  return now()
}

type TimesProps = { checkedAt: string | null; freshness: Freshness; className?: string }

const CheckTimes = ({ checkedAt, freshness: { state, next, why }, className = '' }: TimesProps) => (
  <span title={why ?? undefined} className={`[&>time]:whitespace-nowrap ${className}`}>
    {checkedAt ? (
      <>
        checked <Ago at={checkedAt} />
      </>
    ) : (
      'not checked yet'
    )}
    {next && ','}
    {next && (
      <>
        {' '}
        <span
          className={`inline-block ${state === 'fresh' || state === 'settled' ? '' : `font-medium ${toneText[tones[state]]}`}`}
        >
          {next}
        </span>
      </>
    )}
  </span>
)

/** Last and next read of a record that changes: `checked 4 s ago, next in 6 s`. Shows the reason on hover. */
export const CheckedLine = ({ record, className }: Pick<CheckedProps, 'record'> & { className: string }) => (
  <CheckTimes checkedAt={record.checkedAt} freshness={useFreshness({ record, live: true })} className={className} />
)

/** Like `CheckedLine`, with state and reason, for the page of a record. */
export const CheckedInFull = (props: CheckedProps) => {
  const freshness = useFreshness(props)
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <StateLabel tone={tones[freshness.state]}>{freshnessLabels[freshness.state]}</StateLabel>
      <span className="text-muted">
        <CheckTimes checkedAt={props.record.checkedAt} freshness={{ ...freshness, why: null }} />
      </span>
      {/* The page already shows a failed check, and the banner an unavailable service. */}
      {freshness.why !== null && freshness.state !== 'down' && freshness.why !== props.record.checkFailure?.message && (
        <span className="w-full text-muted">{freshness.why}</span>
      )}
    </span>
  )
}
