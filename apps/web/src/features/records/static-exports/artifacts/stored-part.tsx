import type { StaticExport } from '@docket/api-types/static-exports'
import type { ReactNode } from 'react'
import { isRunningExport } from '#features/records/static-exports/export-state.ts'
import { NotStored } from './not-stored.tsx'
import { StoringProgress } from './storing-progress.tsx'

const explainMissingPart = (row: StaticExport, what: string): string => {
  if (isRunningExport(row)) return `${what} appear here once the export is complete and saved in Docket.`
  return row.state === 'completed'
    ? `${what} need a bundle that is saved in Docket. This one isn’t yet.`
    : 'This export didn’t complete, so there is no bundle.'
}

type StoredPartProps = {
  row: StaticExport
  what: string
  children: ReactNode
}

export const StoredPart = ({ row, what, children }: StoredPartProps) => {
  const { artifact } = row
  if (artifact?.state === 'stored') return children
  return (
    <section aria-label={what} className="panel p-5 text-sm">
      {artifact?.state === 'storing' ? (
        <StoringProgress row={row} />
      ) : artifact?.state === 'not_stored' ? (
        <NotStored row={row} artifact={artifact} />
      ) : (
        <p className="text-muted">{explainMissingPart(row, what)}</p>
      )}
    </section>
  )
}
