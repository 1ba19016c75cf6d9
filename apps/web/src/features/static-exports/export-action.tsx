import type { StaticExport } from '@docket/api-types/static-exports'
import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#ui/button.tsx'
import { useRefusal } from '#ui/forms/use-refusal.ts'
import { DownloadButton } from './download-button.tsx'
import { formatDomain } from './export-state.ts'
import { useStartExport } from './start/start-context.tsx'
import { UnknownOutcomeDialog } from './unknown-outcome-dialog.tsx'

type ExportActionProps = { row: StaticExport; size?: 'sm' | 'md'; className?: string }

/** Next step for an export. Renders nothing while it runs. */
export const ExportAction = ({ row, size, className = '' }: ExportActionProps) => {
  const [deciding, setDeciding] = useState(false)
  const { start, busyWith } = useStartExport()
  const refused = useRefusal('operator')
  const name = <span className="sr-only"> {formatDomain(row)}</span>
  if (row.state === 'completed') return <DownloadButton row={row} className={className} {...(size && { size })} />
  if (row.state === 'unknown' && !row.replacedBy)
    return (
      <>
        <Button {...(size && { size })} className={className} refused={refused} onClick={() => setDeciding(true)}>
          Decide… {name}
        </Button>
        <UnknownOutcomeDialog row={row} open={deciding} onClose={() => setDeciding(false)} />
      </>
    )
  if (row.state === 'failed' || row.state === 'refused' || (row.goneAt !== null && row.state === 'accepted'))
    return (
      <Button
        {...(size && { size })}
        busy={busyWith === row.exportId}
        refused={refused}
        className={className}
        onClick={() => start({ domain: row.domain, version: row.version, paths: row.paths, from: row.exportId })}
      >
        <RotateCw className="size-3.5" aria-hidden="true" />
        Try again {name}
      </Button>
    )
  return null
}
