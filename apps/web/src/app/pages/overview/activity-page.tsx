import type { Activity } from '@docket/api-types/activity'
import { useInfiniteQuery } from '@tanstack/react-query'
import { EndedRow, RunningRow } from '#app/activity/activity-rows.tsx'
import { activityPagesQuery } from '#app/activity/activity.queries.ts'
import { formatCount, formatDay, formatUtc, formatShortClock } from '#lib/text/format.ts'
import { nowMs } from '#lib/time/clock.ts'
import { useChosenConnection } from '#ui/connections/connections.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { ReadState, Skeleton } from '#ui/layout/page.tsx'
import { Link } from '#ui/links/link.tsx'
import { LoadMore } from '#ui/list/load-more.tsx'
import { usePaused } from '#ui/live/ticking.tsx'

const list = 'panel p-1.5'
const link = 'text-sm text-accent hover:underline'

const RunningNow = ({ activity: { running, counts } }: { activity: Activity }) => {
  const total = counts.staticExports + counts.agentJobs
  return (
    <section aria-labelledby="running-now">
      <div className="mb-2.5 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="running-now" className="text-base font-semibold">
          Running now {total > 0 && <span className="ml-1 font-normal text-muted">{formatCount(total)}</span>}
        </h2>
        {total > running.length && (
          <span className="flex gap-4">
            <Link to="/exports" search={{ group: 'active' }} className={link}>
              All running exports
            </Link>
            <Link to="/agent-jobs" search={{ group: 'working' }} className={link}>
              All working jobs
            </Link>
          </span>
        )}
      </div>
      {running.length === 0 ? (
        <p className="panel border-dashed p-4 text-sm text-muted">Nothing is running.</p>
      ) : (
        <ul aria-label="Running now" className={list}>
          {running.map((item) => (
            <li key={JSON.stringify(item.key)}>
              <RunningRow item={item} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** Endings by day. A replica that runs the previous build may repeat some. */
const groupEndingsByDay = (pages: readonly Activity[]) => {
  const endings = new Map(pages.flatMap((page) => page.endings).map((ending) => [ending.eventId, ending]))
  return [...Map.groupBy(endings.values(), ({ at }) => formatDay(at, nowMs()))]
}

const EndingsOnDay = ({ day, endings }: { day: string; endings: Activity['endings'] }) => (
  <section aria-label={day} className="mt-6">
    <h2 className="mb-2.5 text-base font-semibold">{day}</h2>
    <ul aria-label={`Ended: ${day}`} className={list}>
      {endings.map((item) => (
        <li key={item.eventId}>
          <EndedRow
            item={item}
            at={
              <time dateTime={item.at} title={formatUtc(item.at)}>
                {formatShortClock(item.at)}
              </time>
            }
          />
        </li>
      ))}
    </ul>
  </section>
)

export const ActivityPage = () => {
  const query = useInfiniteQuery(activityPagesQuery(useChosenConnection(), usePaused()))
  const { data, hasNextPage } = query
  const days = groupEndingsByDay(data?.pages ?? [])
  return (
    <div className="max-w-3xl">
      <PageHeader title="Activity" />
      <ReadState query={query} waiting={<Skeleton className="h-64 w-full" />} />
      {data?.pages[0] && <RunningNow activity={data.pages[0]} />}
      {days.map(([day, endings]) => (
        <EndingsOnDay key={day} day={day} endings={endings} />
      ))}
      {data && days.length === 0 && !hasNextPage && (
        <p className="panel mt-6 border-dashed p-4 text-sm text-muted">Nothing has ended yet.</p>
      )}
      <LoadMore query={query} />
    </div>
  )
}
