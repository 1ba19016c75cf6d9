import type { Activity } from '@docket/api-types/activity'
import { useQuery } from '@tanstack/react-query'
import { recordLink } from '#app/record-link.ts'
import { formatCount, formatPlural } from '#lib/format.ts'
import { ConnectionMark } from '#ui/connections/connection-mark.tsx'
import { useChosenConnection } from '#ui/connections/use-connections.ts'
import { Link } from '#ui/link.tsx'
import { ProgressBar } from '#ui/records/progress-bar.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { StaleNotice } from '#ui/records/stale-notice.tsx'
import { StateMark, toneText } from '#ui/state-mark.tsx'
import { Ago, Elapsed } from '#ui/ticking.tsx'
import { usePaused } from '#ui/use-paused.ts'
import { labelEnding, labelKind, labelRunning } from './activity-labels.ts'
import { activityQuery } from './activity.queries.ts'
import { NotificationSwitch } from './notification-switch.tsx'

const maxEndings = 8

const rowClass = 'block rounded-md px-2 py-1.5 hover:bg-hover'

const Running = ({ item }: { item: Activity['running'][number] }) => {
  const { tone, word } = labelRunning(item)
  const isExport = item.key.type === 'static_export'
  return (
    <Link {...recordLink(item.key)} className={rowClass}>
      <span className="flex items-baseline justify-between gap-3">
        <span dir="auto" className="truncate font-medium" title={item.title}>
          {item.title}
        </span>
        <span className="shrink-0 text-xs text-muted">
          <Elapsed from={item.since} to={null} />
        </span>
      </span>
      <span className="mb-1 flex justify-between gap-3 text-xs">
        <span className={`truncate ${toneText[tone]}`}>{word}</span>
        <span className="shrink-0 text-muted">
          {item.progress === null ? labelKind(item.key) : `${Math.floor(item.progress)} %`}
        </span>
      </span>
      <ConnectionMark record={item} className="mb-1" />
      {isExport && <ProgressBar percent={item.progress} tone={tone} label={`Progress of ${item.title}`} text={word} />}
    </Link>
  )
}

const Ended = ({ item }: { item: Activity['endings'][number] }) => {
  const { tone, word } = labelEnding(item.ending)
  return (
    <Link {...recordLink(item.key)} className={`${rowClass} flex items-center gap-2.5`}>
      <StateMark tone={tone} />
      <span className="min-w-0 flex-1">
        <span dir="auto" className="block truncate text-left" title={item.title}>
          {item.title}
        </span>
        <span className={`block truncate text-xs ${toneText[tone]}`}>
          {word.charAt(0).toUpperCase() + word.slice(1)}
        </span>
        <ConnectionMark record={item} />
      </span>
      <span className="shrink-0 text-xs text-muted">
        <Ago at={item.at} />
      </span>
    </Link>
  )
}

const heading = 'px-2 pt-3 pb-1 text-xs font-medium text-muted'
const nothing = 'px-2 pb-1 text-sm text-muted'

const Lists = ({ activity: { running, counts, endings } }: { activity: Activity }) => {
  const more = counts.staticExports + counts.agentJobs - running.length
  return (
    <>
      <h3 className={heading}>Running now</h3>
      {running.length === 0 && <p className={nothing}>Nothing is running.</p>}
      <ul aria-label="Running now">
        {running.map((item) => (
          <li key={JSON.stringify(item.key)}>
            <Running item={item} />
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p className={nothing}>
          and {formatCount(more)} more, in all {formatPlural(counts.staticExports, 'export')} and{' '}
          {formatPlural(counts.agentJobs, 'agent job')}
        </p>
      )}
      <h3 className={heading}>Ended lately</h3>
      {endings.length === 0 && <p className={nothing}>Nothing has ended yet.</p>}
      <ul aria-label="Ended lately">
        {endings.slice(0, maxEndings).map((item) => (
          <li key={item.eventId}>
            <Ended item={item} />
          </li>
        ))}
      </ul>
    </>
  )
}

/** Lists running and recently ended records, with the switch for notifications. */
export const ActivityPanel = () => {
  const { data, error, dataUpdatedAt, refetch } = useQuery(activityQuery(useChosenConnection(), usePaused()))
  return (
    <>
      <div className="min-h-0 flex-1 overflow-y-auto px-2 pb-2">
        {error && <StaleNotice error={error} dataUpdatedAt={dataUpdatedAt} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton className="m-2 h-32" />}
        {data && <Lists activity={data} />}
      </div>
      <div className="border-t border-line px-4 py-3">
        <NotificationSwitch />
      </div>
    </>
  )
}
