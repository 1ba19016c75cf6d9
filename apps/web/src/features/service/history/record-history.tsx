import type { RecordKey } from '@docket/api-types/history'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { formatPlural } from '#lib/text/format.ts'
import { Panel } from '#ui/layout/panel.tsx'
import { Skeleton } from '#ui/layout/skeleton.tsx'
import { StaleNotice } from '#ui/records/stale-notice.tsx'
import { Timeline } from '#ui/records/timeline.tsx'
import { usePaused } from '#ui/live/use-paused.ts'
import { toTimelineEntry, type Subject } from './history-labels.ts'
import { useHistoryQuery } from './history.queries.ts'

type RecordHistoryProps = { record: RecordKey; subject: Subject; live: boolean; stamp: string }

export const RecordHistory = ({ record, subject, live, stamp }: RecordHistoryProps) => {
  const { data, error, dataUpdatedAt, refetch } = useQuery(useHistoryQuery(record, live, usePaused()))
  const entries = useMemo(() => data?.events.map((event) => toTimelineEntry(event, subject)), [data, subject])
  const before = useRef(stamp)
  useEffect(() => {
    if (before.current === stamp) return
    before.current = stamp
    void refetch()
  }, [stamp, refetch])
  return (
    <Panel title="History">
      {error && <StaleNotice error={error} dataUpdatedAt={dataUpdatedAt} onRetry={() => void refetch()} />}
      {!entries && !error && <Skeleton className="h-32 w-full" />}
      {data && entries && (
        <Timeline
          entries={entries}
          foot={
            <p className="text-xs text-muted">
              {entries.length === 0 && 'No events yet. '}
              {data.truncated && 'Older events aren’t shown or were deleted. '}
              Times show when Docket noticed. Kept for {formatPlural(data.retentionDays, 'day')}.
            </p>
          }
        />
      )}
    </Panel>
  )
}
