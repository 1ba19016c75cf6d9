import type { StaticExport } from '@docket/api-types/static-exports'
import type { ReactNode } from 'react'

/** A part of an export that needs its bundle. The overview shows why there is none. */
export const StoredPart = ({ row, what, children }: { row: StaticExport; what: string; children: ReactNode }) =>
  row.artifact?.state === 'stored' ? (
    children
  ) : (
    <section aria-label={what} className="panel p-5 text-sm text-muted">
      {what} need a bundle that is saved in Docket. This export has none.
    </section>
  )
