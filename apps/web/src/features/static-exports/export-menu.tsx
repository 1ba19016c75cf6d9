import type { StaticExport } from '@docket/api-types/static-exports'
import { lazy, Suspense, useState } from 'react'
import { lazyLater } from '#ui/lazy-later.ts'
import { Menu } from '#ui/overlays/menu.tsx'
import { formatDomain } from './export-state.ts'

const ExportCommands = lazyLater(async () => (await import('./export-commands.tsx')).ExportCommands)

const CancelDialog = lazy(() =>
  import('./cancel/cancel-dialog.tsx').then((module) => ({ default: module.CancelDialog })),
)

type ExportMenuProps = { row: StaticExport; onPage?: boolean; className?: string }

/** Menu of an export. */
export const ExportMenu = ({ row, onPage = false, className = '' }: ExportMenuProps) => {
  const [cancelling, setCancelling] = useState(false)
  return (
    <>
      <Menu label={`More for ${formatDomain(row)}`} className={className}>
        <ExportCommands row={row} onPage={onPage} onCancel={() => setCancelling(true)} />
      </Menu>
      <Suspense>{cancelling && <CancelDialog row={row} onClose={() => setCancelling(false)} />}</Suspense>
    </>
  )
}
