import type { AgentJob } from '@docket/api-types/agent-jobs'
import type { StaticExport } from '@docket/api-types/static-exports'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { jobsQuery, toJobId, buildJobLink } from '#features/records/agent-jobs/agent-jobs.queries.ts'
import { describeJobState, formatJobTitle } from '#features/records/agent-jobs/job-state.ts'
import { JobMenu } from '#features/records/agent-jobs/list/job-menu.tsx'
import { ExportAction } from '#features/records/static-exports/actions/export-action.tsx'
import { buildExportLink, describeExportState, formatDomain } from '#features/records/static-exports/export-state.ts'
import { ExportMenu } from '#features/records/static-exports/list/export-menu.tsx'
import { exportsQuery } from '#features/records/static-exports/static-exports.queries.ts'
import { isolateText, formatCount, formatPlural } from '#lib/text/format.ts'
import { buttonClass } from '#ui/buttons/button.tsx'
import { Link } from '#ui/links/link.tsx'
import { Ago, usePaused } from '#ui/live/ticking.tsx'
import { StateLabel, type Tone } from '#ui/marks/state-mark.tsx'

const maxLines = 5
const titleLink = 'inline-block min-h-6 max-w-full truncate align-top leading-6 underline-offset-2 hover:underline'

type LineProps = {
  id: string
  name: string
  title: ReactNode
  state: { tone: Tone; word: string }
  reason: string | null
  at: string
  action: ReactNode
  menu: ReactNode
}

const Line = ({ id, name, title, state, reason, at, action, menu }: LineProps) => (
  <article
    aria-label={name}
    data-record={id}
    className="grid min-h-12 grid-cols-[minmax(0,1fr)_auto_auto] items-center gap-x-3 px-4 py-1.5 text-sm @3xl:grid-cols-[minmax(0,1.1fr)_minmax(0,2.5fr)_9.5rem_2rem] @3xl:gap-x-5"
  >
    <h3 className="min-w-0 truncate font-semibold">{title}</h3>
    <p className="col-start-1 row-start-2 flex min-w-0 items-center gap-1.5 @3xl:col-auto @3xl:row-auto">
      <StateLabel tone={state.tone}>{state.word}</StateLabel>
      <span dir="auto" className="min-w-0 truncate text-muted" title={reason ?? undefined}>
        {reason ?? <Ago at={at} />}
      </span>
    </p>
    <span className="col-start-2 row-span-2 row-start-1 flex justify-end @3xl:col-auto @3xl:row-span-1 @3xl:row-auto">
      {action}
    </span>
    <span className="col-start-3 row-span-2 row-start-1 -mr-2 @3xl:col-auto @3xl:row-span-1 @3xl:row-auto">{menu}</span>
  </article>
)

const toExportLine = (row: StaticExport): LineProps => ({
  id: row.exportId,
  name: `Export of ${formatDomain(row)}`,
  title: (
    <Link {...buildExportLink(row.exportId)} className={titleLink}>
      {formatDomain(row)}
    </Link>
  ),
  state: describeExportState(row),
  reason: row.reason,
  at: row.finishedAt ?? row.goneAt ?? row.startedAt,
  action: <ExportAction row={row} />,
  menu: <ExportMenu row={row} />,
})

const toJobLine = (job: AgentJob): LineProps => {
  const title = isolateText(formatJobTitle(job))
  return {
    id: toJobId(job),
    name: `Agent job ${title}`,
    title: (
      <Link {...buildJobLink(job)} className={titleLink}>
        {title}
      </Link>
    ),
    state: describeJobState(job),
    reason: describeJobState(job).note,
    at: job.finishedAt ?? job.followedAt,
    action: (
      <Link {...buildJobLink(job)} className={buttonClass()}>
        Open<span className="sr-only"> {title}</span>
      </Link>
    ),
    menu: <JobMenu job={job} />,
  }
}

/** `enabled`: false for people who may not read records. */
export const useTroubles = (connection: string, enabled: boolean) => {
  const paused = usePaused()
  const exports = useQuery({ ...exportsQuery({ connection, attention: true }, paused), enabled })
  const jobs = useQuery({ ...jobsQuery({ connection, attention: true }, paused), enabled })
  const lines = [...(exports.data?.items.map(toExportLine) ?? []), ...(jobs.data?.items.map(toJobLine) ?? [])]
  return {
    isKnown: !enabled || (exports.isFetched && jobs.isFetched),
    exports: exports.data?.counts.attention ?? 0,
    jobs: jobs.data?.counts.attention ?? 0,
    lines: lines.toSorted((a, b) => b.at.localeCompare(a.at)).slice(0, maxLines),
  }
}

const allLink = 'inline-flex min-h-6 items-center text-sm text-accent underline-offset-2 hover:underline'

/** Trouble, newest first. Each line ends by a later success, or when somebody dismisses it. */
export const Attention = ({ troubles: { exports, jobs, lines } }: { troubles: ReturnType<typeof useTroubles> }) =>
  lines.length > 0 && (
    <section aria-label="Needs attention" className="mb-6">
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="text-base font-semibold">
          Needs attention <span className="ml-1 font-normal text-muted">{formatCount(exports + jobs)}</span>
        </h2>
        <span className="flex gap-4">
          {exports > 0 && (
            <Link to="/exports" search={{ attention: true }} className={allLink}>
              All {jobs > 0 ? formatPlural(exports, 'export') : formatCount(exports)}
            </Link>
          )}
          {jobs > 0 && (
            <Link to="/agent-jobs" search={{ attention: true }} className={allLink}>
              All {formatPlural(jobs, 'job')}
            </Link>
          )}
        </span>
      </div>
      <div className="panel @container divide-y divide-line">
        {lines.map((line) => (
          <Line key={line.id} {...line} />
        ))}
      </div>
    </section>
  )
