import type { StaticExport } from '@docket/api-types/static-exports'
import { useState } from 'react'
import { Button } from '#ui/buttons/button.tsx'
import { lazyDialog } from '#ui/overlays/lazy-dialog.tsx'
import { useCancelRefusal } from './use-cancel-refusal.ts'

const CancelDialog = lazyDialog(async () => (await import('./cancel-dialog.tsx')).CancelDialog)

/** Cancels a running export after a question. Renders nothing where that is no choice. */
export const CancelButton = ({ row }: { row: StaticExport }) => {
  const [asking, setAsking] = useState(false)
  const refused = useCancelRefusal(row)
  return (
    <>
      {refused !== undefined && (
        <Button size="md" refused={refused} onClick={() => setAsking(true)}>
          Cancel export…
        </Button>
      )}
      {asking && <CancelDialog row={row} onClose={() => setAsking(false)} />}
    </>
  )
}
