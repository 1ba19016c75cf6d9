import type { StaticExport } from '@docket/api-types/static-exports'
import { memo } from 'react'
import { formatInstant } from '#lib/format.ts'
import { CheckedLine } from '#ui/checked.tsx'
import { Link } from '#ui/link.tsx'
import { recordCells, recordRow } from '#ui/record-row.ts'
import { StateLabel } from '#ui/state-mark.tsx'
import { Ago, Elapsed } from '#ui/ticking.tsx'
import { ExportAction } from './export-action.tsx'
import { ExportMenu } from './export-menu.tsx'
import { exportPath } from './export-path.ts'
import { ExportProgress } from './export-progress.tsx'
import { domainOf, exportState, isRunning } from './export-state.ts'

const scopeOf = ({ version, paths }: StaticExport): string => {
  const pages = paths && (paths.length === 1 ? paths[0] : `${paths.length} paths`)
  return [version, pages].filter(Boolean).join(' · ')
}

const Age = ({ row }: { row: StaticExport }) => {
  if (isRunning(row) && !row.imported)
    return (
      <span title={`Started ${formatInstant(row.startedAt)}`}>
        <Elapsed from={row.startedAt} to={null} />
      </span>
    )
  return (
    <>
      {row.imported ? 'tracked' : 'started'} <Ago at={row.startedAt} />
    </>
  )
}

/** One export in a list. Rendered again only when its own data changed. */
export const ExportRow = memo(({ row }: { row: StaticExport }) => {
  const { tone, word } = exportState(row)
  const scope = scopeOf(row)
  return (
    <article aria-label={`Export of ${domainOf(row)}`} className={recordRow}>
      <div className={recordCells.name}>
        <h3 className="flex items-baseline gap-2 font-semibold">
          <Link
            href={exportPath(row.exportId)}
            className="min-w-0 truncate leading-6 underline-offset-2 hover:underline"
            title={row.domain}
          >
            {domainOf(row)}
          </Link>
          {scope && <span className="max-w-32 shrink-0 truncate text-xs font-normal text-muted">{scope}</span>}
        </h3>
        <div className="flex items-center gap-2 text-sm">
          <StateLabel tone={tone}>{word}</StateLabel>
          <span className="min-w-0 truncate text-xs text-muted">
            <Age row={row} />
          </span>
        </div>
      </div>
      <div className={recordCells.middle}>
        <ExportProgress row={row} />
        {row.checkFailure && row.jobId !== null && (
          <p className="truncate text-xs text-attention" title={row.checkFailure.message}>
            {row.checkFailure.message}
          </p>
        )}
      </div>
      <div className={recordCells.checks}>
        {row.jobId !== null && <CheckedLine record={row} live={isRunning(row)} />}
      </div>
      <div className={recordCells.action}>
        <ExportAction row={row} />
      </div>
      <div className={recordCells.menu}>
        <ExportMenu row={row} />
      </div>
    </article>
  )
})
