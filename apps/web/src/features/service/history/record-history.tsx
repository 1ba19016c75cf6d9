import type { RecordKey, HistoryEvent, HistoryKind } from '@docket/api-types/history'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { formatPlural } from '#lib/text/format.ts'
import { Panel, Skeleton, ReadState } from '#ui/layout/page.tsx'
import { usePaused } from '#ui/live/ticking.tsx'
import type { Tone } from '#ui/marks/state-mark.tsx'
import { Timeline, type TimelineEntry } from '#ui/records/timeline.tsx'
import { useHistoryQuery } from './history.queries.ts'

type Subject = 'export' | 'job'

type Label = { tone: Tone; title: string; words?: string | null }

type ToLabel = (event: HistoryEvent, subject: Subject) => Label

const forExports =
  (tone: Tone, title: string, otherwise: string): ToLabel =>
  (_, subject) => ({ tone, title: subject === 'export' ? title : otherwise })

const labels: Record<HistoryKind, Label | ToLabel> = {
  requested: { tone: 'idle', title: 'Export requested' },
  imported: { tone: 'idle', title: 'Added by its job ID' },
  followed: { tone: 'idle', title: 'Added by its job ID' },
  created: { tone: 'idle', title: 'Created in Docket' },
  message_sent: ({ to }) => ({
    tone: 'idle',
    title: 'Follow-up sent',
    words: to && formatPlural(Number(to), 'character'),
  }),
  attached: { tone: 'idle', title: 'Job ID entered' },
  started_again: { tone: 'idle', title: 'Started again' },
  checked: { tone: 'idle', title: 'Checked manually' },
  bundle_prepared: { tone: 'idle', title: 'Bundle prepared' },
  downloaded: { tone: 'idle', title: 'Bundle downloaded' },
  link_copied: { tone: 'idle', title: 'Bundle link copied' },
  uploaded: { tone: 'idle', title: 'Bundle uploaded' },
  // The overview shows the SHA-256 of the bundle.
  bundle_stored: { tone: 'done', title: 'Saved in Docket', words: null },
  bundle_not_stored: ({ to }) => ({ tone: 'idle', title: 'Not saved in Docket', words: to }),
  bundle_deleted: { tone: 'idle', title: 'Deleted from Docket' },
  dismissed: { tone: 'idle', title: 'Dismissed' },
  dismissal_undone: { tone: 'idle', title: 'Dismissal undone' },
  note_changed: ({ to }) => ({
    tone: 'idle',
    title: to === '0' ? 'Note removed' : 'Note changed',
    words: null,
  }),
  removed: { tone: 'idle', title: 'Removed from the list' },
  restored: { tone: 'idle', title: 'Restored to the list' },
  accepted: { tone: 'waiting', title: 'Accepted by the service' },
  status_changed: ({ to }) => ({
    tone: 'live',
    title: to === null ? 'The service no longer reports a status' : 'The service says',
  }),
  progressed: ({ to }) => ({ tone: 'live', title: to === null ? 'Progressed' : `Reached ${to} %`, words: null }),
  completed: forExports('done', 'Completed', 'Finished'),
  failed: { tone: 'failed', title: 'Failed' },
  refused: forExports('failed', 'Not started', 'Follow-up not sent'),
  answer_lost: forExports('attention', 'May have started', 'The follow-up may have arrived'),
  pull_request_reported: ({ to }) => ({
    tone: 'done',
    title: 'Pull request reported',
    // The address of Docket's own page may work only on its own machine.
    words:
      to?.replace(/^http:\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?\/(?:code|docket)\/([^/]+)\/pulls\/(\d+)$/, '$1#$2') ??
      null,
  }),
  no_pull_request: { tone: 'done', title: 'No pull request reported' },
  active_again: { tone: 'live', title: 'Active again' },
  begun: { tone: 'live', title: 'Work began' },
  cancelled: { tone: 'archived', title: 'Cancelled' },
  pull_request_merged: { tone: 'done', title: 'Pull request merged' },
  pull_request_closed: { tone: 'archived', title: 'Pull request closed' },
  pull_request_reopened: { tone: 'live', title: 'Pull request reopened' },
  retried: ({ to }) => ({ tone: 'idle', title: 'Tried again', words: to && formatPlural(Number(to), 'character') }),
  cancel_requested: { tone: 'idle', title: 'Cancellation requested' },
  treated_as: ({ from, to }) => ({ tone: 'idle', title: `Status treated as ${to}`, words: from }),
  archive_requested: { tone: 'idle', title: 'Archiving requested' },
  action_failed: { tone: 'failed', title: 'The service didn’t do it' },
  pull_request_marked: ({ to }) => ({
    tone: 'idle',
    title: to === null ? 'Pull request unmarked' : `Pull request marked as ${to}`,
    words: null,
  }),
  archived: { tone: 'archived', title: 'Archived' },
  gone: { tone: 'attention', title: 'The service no longer finds it' },
  back: { tone: 'live', title: 'The service finds it again' },
  changed: ({ field, from, to }) => ({
    tone: 'idle',
    title: field === 'exporter' ? 'Began again, on another exporter' : `${field ?? 'Something'} changed`,
    words: from === null || to === null ? (to ?? from) : `${from} → ${to}`,
  }),
  not_observed: { tone: 'waiting', title: 'Not observed' },
}

const findLabel = (event: HistoryEvent, subject: Subject): Label => {
  const words = labels[event.kind]
  return typeof words === 'function' ? words(event, subject) : words
}

/** Entry of the timeline for an event. Keeps texts of the service unchanged. */
const toTimelineEntry = (event: HistoryEvent, subject: Subject): TimelineEntry => {
  const { tone, title, words } = findLabel(event, subject)
  return {
    id: event.eventId,
    at: event.at,
    tone,
    title,
    words: words === undefined ? event.to : words,
    by: event.by,
    gap: event.kind === 'not_observed' ? { until: event.until } : null,
  }
}

type RecordHistoryProps = { record: RecordKey; subject: Subject; live: boolean; stamp: string }

export const RecordHistory = ({ record, subject, live, stamp }: RecordHistoryProps) => {
  const query = useQuery(useHistoryQuery(record, live, usePaused()))
  const { data, refetch } = query
  const entries = useMemo(() => data?.events.map((event) => toTimelineEntry(event, subject)), [data, subject])
  const before = useRef(stamp)
  useEffect(() => {
    if (before.current === stamp) return
    before.current = stamp
    void refetch()
  }, [stamp, refetch])
  return (
    <Panel title="History">
      <ReadState query={query} waiting={<Skeleton className="h-32 w-full" />} />
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
