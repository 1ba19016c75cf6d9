import type { StaticExport } from '@docket/api-types/static-exports'
import type { ReactNode } from 'react'
import { ExportAction } from '#features/records/static-exports/actions/export-action.tsx'
import { useCancelRefusal } from '#features/records/static-exports/actions/use-refusals.ts'
import { DownloadFiles } from '#features/records/static-exports/download/download-files.tsx'
import { Button } from '#ui/buttons/button.tsx'
import { useReadOnly } from '#ui/connections/use-connections.ts'
import { explainEnd } from './why-panel.tsx'

type HeaderActionsProps = {
  row: StaticExport
  publish: ReactNode
  /** True when publishing is the next step, so that its button is the filled one. */
  publishesNext: boolean
  menu: ReactNode
  onCancel: () => void
}

/** Next steps of an export on its page, but for those that `WhyPanel` offers. */
export const ExportHeaderActions = ({ row, publish, publishesNext, menu, onCancel }: HeaderActionsProps) => {
  const notCancelled = useCancelRefusal(row)
  const readOnly = useReadOnly(row)
  const isStored = row.artifact?.state === 'stored'
  return (
    <>
      {isStored ? (
        <DownloadFiles row={row} filled={!publishesNext} />
      ) : (
        readOnly === null && explainEnd(row) === null && <ExportAction row={row} size="md" />
      )}
      {publish}
      {notCancelled !== undefined && (
        <Button size="md" refused={notCancelled} onClick={onCancel}>
          Cancel export…
        </Button>
      )}
      {menu}
    </>
  )
}
