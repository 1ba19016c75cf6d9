import { useState, type ReactNode } from 'react'
import { formatClock, formatDay, formatDuration, formatPlural, formatUtc } from '#lib/text/format.ts'
import { nowMs } from '#lib/time/clock.ts'
import { Button } from '#ui/buttons/button.tsx'
import { StateMark, type Tone } from '#ui/marks/state-mark.tsx'

/** An event, or a gap without observation; `until` is null while the gap lasts. */
export type TimelineEntry = {
  id: number
  at: string
  tone: Tone
  title: string
  /** Quoted text, shown unchanged. */
  words: string | null
  by: string | null
  gap: { until: string | null } | null
}

const maxAtFirst = 30
const sameMomentMs = 1000

const findEntryEnd = (entry: TimelineEntry) => entry.gap?.until ?? entry.at

const EntryClock = ({ at }: { at: string }) => (
  <time dateTime={at} title={formatUtc(at)} className="block text-xs leading-5 whitespace-nowrap text-muted">
    {formatClock(at)}
  </time>
)

const After = ({
  entry,
  before,
  className,
}: {
  entry: TimelineEntry
  before: TimelineEntry | undefined
  className: string
}) => {
  if (!before) return null
  const ms = Date.parse(entry.at) - Date.parse(findEntryEnd(before))
  if (ms < sameMomentMs) return null
  return (
    <span className={`shrink-0 text-xs whitespace-nowrap text-muted ${className}`} title="Since the previous step">
      <span aria-hidden="true">+ </span>
      <span className="sr-only">after </span>
      {formatDuration(ms)}
    </span>
  )
}

const TimelineStep = ({ entry }: { entry: TimelineEntry }) => (
  <>
    <span className="font-medium">{entry.title}</span>
    {entry.words !== null && (
      <>
        {' '}
        <q dir="auto" className="text-muted wrap-anywhere">
          {entry.words}
        </q>
      </>
    )}
    {entry.by !== null && (
      <span className="block text-xs text-muted wrap-anywhere">
        by <bdi>{entry.by}</bdi>
      </span>
    )}
  </>
)

const TimelineGap = ({ entry, until }: { entry: TimelineEntry; until: string | null }) => (
  <div className="rounded-md border border-dashed border-line-strong bg-sunken px-2.5 py-1.5">
    <span className="font-medium">
      Not observed {until === null ? 'since then' : `for ${formatDuration(Date.parse(until) - Date.parse(entry.at))}`}
    </span>
    <span className="block text-xs text-muted">
      from {formatClock(entry.at)}
      {until === null ? (
        ', and still not'
      ) : (
        <>
          {' '}
          to{' '}
          <time dateTime={until} title={formatUtc(until)}>
            {formatClock(until)}
          </time>
        </>
      )}
    </span>
    {entry.words !== null && (
      <span className="block text-xs text-muted wrap-anywhere" dir="auto">
        {entry.words}
      </span>
    )}
  </div>
)

const TimelineRow = ({
  entry,
  before,
  last,
}: {
  entry: TimelineEntry
  before: TimelineEntry | undefined
  last: boolean
}) => (
  <li className="col-span-3 grid grid-cols-subgrid">
    <div className="pb-2.5">
      <EntryClock at={entry.at} />
      <After entry={entry} before={before} className="sm:hidden" />
    </div>
    <span className="flex flex-col items-center pt-0.5" aria-hidden="true">
      <StateMark tone={entry.tone} still />
      {!last && (
        <span
          className={`mt-1 w-px flex-1 ${entry.gap ? 'border-l border-dashed border-line-strong' : 'bg-line forced-color-adjust-none'}`}
        />
      )}
    </span>
    <div className={`flex min-w-0 items-start justify-between gap-3 text-sm ${last ? '' : 'pb-3.5'}`}>
      <div className="min-w-0 flex-1">
        {entry.gap ? <TimelineGap entry={entry} until={entry.gap.until} /> : <TimelineStep entry={entry} />}
      </div>
      <After entry={entry} before={before} className="hidden leading-5 sm:inline" />
    </div>
  </li>
)

export const Timeline = ({ entries, foot }: { entries: readonly TimelineEntry[]; foot: ReactNode }) => {
  const [all, setAll] = useState(false)
  const hidden = all || entries.length <= maxAtFirst ? 0 : entries.length - maxAtFirst
  const days = Map.groupBy(entries.slice(hidden), (entry) => formatDay(entry.at, nowMs()))
  const place = new Map(entries.map((entry, index) => [entry.id, index]))
  return (
    <>
      {hidden > 0 && (
        <Button className="mb-4" onClick={() => setAll(true)}>{`Show ${formatPlural(hidden, 'earlier event')}`}</Button>
      )}
      {[...days].map(([day, ofDay]) => (
        <section key={day} aria-label={day} className="mb-4">
          <h3 className="mb-2.5 text-xs font-medium text-muted">{day}</h3>
          <ol className="grid grid-cols-[max-content_1rem_minmax(0,1fr)] gap-x-3">
            {ofDay.map((entry) => {
              const index = place.get(entry.id)!
              return (
                <TimelineRow
                  key={entry.id}
                  entry={entry}
                  before={entries[index - 1]}
                  last={entry.id === ofDay.at(-1)?.id}
                />
              )
            })}
          </ol>
        </section>
      ))}
      {foot}
    </>
  )
}
