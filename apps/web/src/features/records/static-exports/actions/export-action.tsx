import type { StaticExport } from '@docket/api-types/static-exports'
import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { DownloadButton } from '#features/records/static-exports/download/download-button.tsx'
import { formatDomain, lacksAnyCopy } from '#features/records/static-exports/export-state.ts'
import { toRestartRequest, useStartExport } from '#features/records/static-exports/start/start-context.tsx'
import { Button } from '#ui/buttons/button.tsx'
import { useReadOnly, useRecordRefusal } from '#ui/connections/connections.tsx'
import { ReadOnlyReason } from '#ui/connections/read-only.tsx'
import { lazyDialog } from '#ui/overlays/lazy.tsx'

const UnknownOutcomeDialog = lazyDialog(async () => (await import('./unknown-outcome-dialog.tsx')).UnknownOutcomeDialog)

type ExportActionProps = { row: StaticExport; size?: 'sm' | 'md'; className?: string }

/** Button for the next step of an export, or the reason why there is none; filled if `md`. Renders nothing while the export runs. */
export const ExportAction = ({ row, size, className = '' }: ExportActionProps) => {
  const [deciding, setDeciding] = useState(false)
  const { start, busyWith } = useStartExport()
  const refused = useRecordRefusal(row)
  const readOnly = useReadOnly(row)
  const variant = size === 'md' ? 'primary' : 'secondary'
  const name = <span className="sr-only"> {formatDomain(row)}</span>
  // Docket's own copy needs no service.
  if (readOnly !== null && row.artifact?.state !== 'stored')
    return <ReadOnlyReason reason={readOnly} className={className} />
  const isLost = row.artifact?.reason === 'no_bundle'
  if (lacksAnyCopy(row)) return null
  if (row.state === 'completed' && !isLost)
    return <DownloadButton row={row} className={className} filled={size === 'md'} {...(size && { size })} />
  if (row.state === 'unknown' && !row.replacedBy)
    return (
      <>
        <Button
          {...(size && { size })}
          variant={variant}
          className={className}
          refused={refused}
          onClick={() => setDeciding(true)}
        >
          Decide… {name}
        </Button>
        {deciding && <UnknownOutcomeDialog row={row} onClose={() => setDeciding(false)} />}
      </>
    )
  if (isLost || row.state === 'failed' || row.state === 'refused' || (row.goneAt !== null && row.state === 'accepted'))
    return (
      <Button
        icon={RotateCw}
        {...(size && { size })}
        variant={variant}
        busy={busyWith === row.exportId}
        refused={refused}
        className={className}
        onClick={() => start(toRestartRequest(row))}
      >
        {isLost ? 'Export again' : 'Try again'} {name}
      </Button>
    )
  return null
}
