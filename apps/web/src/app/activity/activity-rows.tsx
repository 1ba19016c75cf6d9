import type { Activity } from '@docket/api-types/activity'
import type { ReactNode } from 'react'
import { buildRecordLink } from '#app/address/record-link.ts'
import { capitalize } from '#lib/text/format.ts'
import { ConnectionMark } from '#ui/connections/connections.tsx'
import { Link } from '#ui/links/link.tsx'
import { Ago, Elapsed } from '#ui/live/ticking.tsx'
import { StateMark, toneText } from '#ui/marks/state-mark.tsx'
import { ProgressBar } from '#ui/records/progress-bar.tsx'
import { labelEnding, labelKind, labelRunning } from './activity-labels.ts'

const rowClass = 'block rounded-md px-2 py-1.5 hover:bg-hover'

export const RunningRow = ({ item }: { item: Activity['running'][number] }) => {
  const { tone, word } = labelRunning(item)
  const isExport = item.key.type === 'static_export'
  return (
    <Link {...buildRecordLink(item.key)} className={rowClass}>
      <span className="flex items-baseline justify-between gap-3">
        <span className="truncate font-medium" title={item.title}>
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

/** An ended record: how it ended, with a link to its page. `at` replaces its age. */
export const EndedRow = ({ item, at }: { item: Activity['endings'][number]; at?: ReactNode }) => {
  const { tone, word } = labelEnding(item.ending)
  return (
    <Link {...buildRecordLink(item.key)} className={`${rowClass} flex items-center gap-2.5`}>
      <StateMark tone={tone} />
      <span className="min-w-0 flex-1">
        <span className="block truncate" title={item.title}>
          {item.title}
        </span>
        <span className={`block truncate text-xs ${toneText[tone]}`}>{capitalize(word)}</span>
        <ConnectionMark record={item} />
      </span>
      <span className="shrink-0 text-xs text-muted">{at ?? <Ago at={item.at} />}</span>
    </Link>
  )
}
