import type { StaticExport } from '@docket/api-types/static-exports'
import type { ReactNode } from 'react'
import { ExportRow } from '#features/records/static-exports/list/export-row.tsx'
import { toExportId } from '#features/records/static-exports/static-exports.queries.ts'
import { recordList } from '#ui/records/record-row.ts'

type RowsProps = {
  title: string
  rows: readonly StaticExport[]
  children?: ReactNode
}

export const ExportRows = ({ title, rows, children }: RowsProps) => (
  <section aria-label={title} className="min-w-0">
    <div className="mb-2.5 flex flex-wrap items-baseline justify-between gap-x-4">
      <h2 className="text-base font-semibold">{title}</h2>
      {children}
    </div>
    <ul className={recordList}>
      {rows.map((row) => (
        <li key={toExportId(row)}>
          <ExportRow row={row} />
        </li>
      ))}
    </ul>
  </section>
)
