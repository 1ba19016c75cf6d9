import type { ReactNode } from 'react'
import { JobRow } from '#features/agent-jobs/job-row.tsx'
import { ExportRow } from '#features/static-exports/export-row.tsx'
import { formatCount, formatPlural } from '#lib/format.ts'
import { Link } from '#ui/link.tsx'
import { recordList } from '#ui/record-row.ts'
import type { OverviewItem } from './overview.ts'

const link = 'text-sm text-accent underline-offset-2 hover:underline'

type SectionProps = {
  title: string
  items: readonly OverviewItem[]
  empty: ReactNode
  /** How many more there are, and where. */
  more?: { exports: number; jobs: number; search: { exports: string; jobs: string } }
  links?: readonly { href: string; name: string }[]
}

/** A part of the overview: some records, and where the others are. */
export const OverviewSection = ({ title, items, empty, more, links = [] }: SectionProps) => {
  const others = [
    ...(more && more.exports > 0
      ? [{ href: `/exports${more.search.exports}`, name: formatPlural(more.exports, 'more export') }]
      : []),
    ...(more && more.jobs > 0
      ? [{ href: `/agent-jobs${more.search.jobs}`, name: formatPlural(more.jobs, 'more job') }]
      : []),
    ...links,
  ]
  const total = items.length + (more ? more.exports + more.jobs : 0)
  return (
    <section aria-label={title} className="mt-7">
      <div className="mb-2.5 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="text-base font-semibold">
          {title}
          {items.length > 0 && <span className="ml-2 font-normal text-muted">{formatCount(total)}</span>}
        </h2>
        <span className="flex gap-4">
          {others.map(({ href, name }) => (
            <Link key={href} href={href} className={link}>
              {name}
            </Link>
          ))}
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
