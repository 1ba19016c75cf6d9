import type { Activity } from '@docket/api-types/activity'
import { useQuery } from '@tanstack/react-query'
import { formatCount, formatPlural } from '#lib/text/format.ts'
import { useChosenConnection } from '#ui/connections/connections.tsx'
import { Skeleton, ReadState } from '#ui/layout/page.tsx'
import { Link } from '#ui/links/link.tsx'
import { usePaused } from '#ui/live/ticking.tsx'
import { EndedRow, RunningRow } from './activity-rows.tsx'
import { activityQuery } from './activity.queries.ts'
import { NotificationSwitch } from './notification-switch.tsx'

const maxEndings = 8

const heading = 'px-2 pt-3 pb-1 text-xs font-medium text-muted'
const nothing = 'px-2 pb-1 text-sm text-muted'

const ActivityLists = ({ activity: { running, counts, endings } }: { activity: Activity }) => {
  const more = counts.staticExports + counts.agentJobs - running.length
  return (
    <>
      <h3 className={heading}>Running now</h3>
      {running.length === 0 && <p className={nothing}>Nothing is running.</p>}
      <ul aria-label="Running now">
        {running.map((item) => (
          <li key={JSON.stringify(item.key)}>
            <RunningRow item={item} />
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p className={nothing}>
          and {formatCount(more)} more. In total: {formatPlural(counts.staticExports, 'export')} and{' '}
          {formatPlural(counts.agentJobs, 'agent job')}
        </p>
      )}
      <h3 className={heading}>Recently ended</h3>
      {endings.length === 0 && <p className={nothing}>Nothing has ended yet.</p>}
      <ul aria-label="Recently ended">
        {endings.slice(0, maxEndings).map((item) => (
          <li key={item.eventId}>
            <EndedRow item={item} />
          </li>
        ))}
      </ul>
    </>
  )
}

export const ActivityPanel = () => {
  const query = useQuery(activityQuery(useChosenConnection(), usePaused()))
  const { data } = query
  return (
    <>
      <div className="min-h-0 flex-1 overflow-y-auto px-2 pb-2">
        <ReadState query={query} waiting={<Skeleton className="m-2 h-32" />} />
        {data && <ActivityLists activity={data} />}
      </div>
      <div className="border-t border-line px-4 py-3">
        <Link to="/activity" className="mb-2 inline-flex h-6 items-center text-sm text-accent hover:underline">
          See all
        </Link>
        <NotificationSwitch />
      </div>
    </>
  )
}
