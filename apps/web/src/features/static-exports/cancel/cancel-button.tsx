import type { StaticExport } from '@docket/api-types/static-exports'
import { lazy, Suspense, useState } from 'react'
import { Button } from '#ui/button.tsx'
import { useCancelRefusal } from './use-cancel-refusal.ts'

const CancelDialog = lazy(() => import('./cancel-dialog.tsx').then((module) => ({ default: module.CancelDialog })))

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
      <Suspense>{asking && <CancelDialog row={row} onClose={() => setAsking(false)} />}</Suspense>
    </>
  )
}
