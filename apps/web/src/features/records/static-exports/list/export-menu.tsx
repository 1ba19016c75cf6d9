import type { StaticExport } from '@docket/api-types/static-exports'
import { useState } from 'react'
import { lazyWithPreload, lazyDialog } from '#ui/overlays/lazy.tsx'
import { Menu } from '#ui/overlays/menu.tsx'
import { formatDomain } from '#features/records/static-exports/export-state.ts'

const ExportCommands = lazyWithPreload(async () => (await import('./export-commands.tsx')).ExportCommands)

const CancelDialog = lazyDialog(
  async () => (await import('#features/records/static-exports/actions/cancel-dialog.tsx')).CancelDialog,
)

type ExportMenuProps = { row: StaticExport; className?: string }

export const ExportMenu = ({ row, className = '' }: ExportMenuProps) => {
  const [cancelling, setCancelling] = useState(false)
  return (
    <>
      <Menu label={`More for ${formatDomain(row)}`} className={className}>
        <ExportCommands row={row} onPage={false} onCancel={() => setCancelling(true)} />
      </Menu>
      {cancelling && <CancelDialog row={row} onClose={() => setCancelling(false)} />}
    </>
  )
}
