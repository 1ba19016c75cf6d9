import type { StaticExport } from '@docket/api-types/static-exports'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { StateLabel } from '#ui/state-mark.tsx'
import { Ago, CheckTimes } from '#ui/ticking.tsx'
import { ExportAction } from './export-action.tsx'
import { ExportMenu } from './export-menu.tsx'
import { ExportProgress } from './export-progress.tsx'
import { domainOf, exportState } from './export-state.ts'

const scopeOf = (row: StaticExport) => {
  if (row.paths) return row.paths.length === 1 ? row.paths[0] : `${row.paths.length} paths`
  return null
}

/** One export in a list. Rendered again only when its own data changed. */
export const ExportRow = memo(({ row }: { row: StaticExport }) => {
  const { tone, word } = exportState(row)
  const scope = [row.version, scopeOf(row)].filter((text) => text !== null && text !== undefined)
  return (
    <article
      aria-label={`Export of ${domainOf(row)}`}
      className="grid min-h-[4.5rem] grid-cols-[minmax(0,1fr)_auto] items-center gap-x-5 gap-y-2 px-4 py-3 md:grid-cols-[minmax(0,1.15fr)_minmax(0,1.5fr)_9rem_10.5rem]"
    >
      <div className="min-w-0">
        <h3 className="truncate font-semibold">
          <Link
            to="/exports/$exportId"
            params={{ exportId: row.exportId }}
            className="underline-offset-2 hover:underline"
            title={row.domain}
          >
            {domainOf(row)}
          </Link>
          {scope.length > 0 && <span className="ml-2 text-xs font-normal text-muted">{scope.join(' · ')}</span>}
        </h3>
        <div className="mt-0.5 flex flex-wrap items-center gap-x-2 text-sm">
          <StateLabel tone={tone}>{word}</StateLabel>
          <span className="text-xs text-muted">
            {row.imported ? 'tracked' : 'started'} <Ago at={row.startedAt} />
          </span>
        </div>
      </div>
      <div className="col-span-2 row-start-2 min-w-0 md:col-span-1 md:row-start-1 md:col-start-2">
        <ExportProgress row={row} />
      </div>
      <div className="col-span-2 row-start-3 text-xs text-muted md:col-span-1 md:col-start-3 md:row-start-1">
        {row.checkFailure && (
          <p className="line-clamp-2 text-attention wrap-anywhere" title={row.checkFailure.message}>
            {row.checkFailure.message}
          </p>
        )}
        {row.jobId !== null && <CheckTimes checkedAt={row.checkedAt} nextCheckAt={row.nextCheckAt} />}
      </div>
      <div className="col-start-2 row-start-1 flex items-center justify-end gap-1 md:col-start-4">
        <ExportAction row={row} />
        <ExportMenu row={row} />
      </div>
    </article>
  )
})
