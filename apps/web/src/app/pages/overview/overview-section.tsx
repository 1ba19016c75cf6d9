import type { LinkProps, RegisteredRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { JobRow } from '#features/records/agent-jobs/list/job-row.tsx'
import { ExportRow } from '#features/records/static-exports/list/export-row.tsx'
import { formatCount, formatPlural } from '#lib/text/format.ts'
import { Link } from '#ui/links/link.tsx'
import { recordList } from '#ui/records/record-row.ts'
import type { OverviewItem } from './overview.ts'

const link = 'inline-flex min-h-6 items-center text-sm text-accent underline-offset-2 hover:underline'

type LinkSearch<To extends string> = NonNullable<LinkProps<'a', RegisteredRouter, string, To>['search']>

type SectionProps = {
  title: string
  items: readonly OverviewItem[]
  empty: ReactNode
  /** Numbers of further records, and the searches that list them. */
  more?: {
    exports: number
    jobs: number
    search: { exports: LinkSearch<'/exports'>; jobs: LinkSearch<'/agent-jobs'> }
  }
  linksToAll?: boolean
}

export const OverviewSection = ({ title, items, empty, more, linksToAll = false }: SectionProps) => {
  const total = items.length + (more ? more.exports + more.jobs : 0)
  return (
    <section aria-label={title} className="mt-7">
      <div className="mb-2.5 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="text-base font-semibold">
          {title} {items.length > 0 && <span className="ml-1 font-normal text-muted">{formatCount(total)}</span>}
        </h2>
        <span className="flex gap-4">
          {more && more.exports > 0 && (
            <Link to="/exports" search={more.search.exports} className={link}>
              {formatPlural(more.exports, 'more export')}
            </Link>
          )}
          {more && more.jobs > 0 && (
            <Link to="/agent-jobs" search={more.search.jobs} className={link}>
              {formatPlural(more.jobs, 'more job')}
            </Link>
          )}
          {linksToAll && (
            <>
              <Link to="/exports" className={link}>
                All exports
              </Link>
              <Link to="/agent-jobs" className={link}>
                All jobs
              </Link>
            </>
          )}
        </span>
      </div>
      {items.length === 0 ? (
        <p className="panel border-dashed px-4 py-4 text-sm text-muted">{empty}</p>
      ) : (
        <ul className={recordList}>
          {items.map((item) => (
            <li key={item.id}>{item.kind === 'export' ? <ExportRow row={item.row} /> : <JobRow job={item.job} />}</li>
          ))}
        </ul>
      )}
    </section>
  )
}
