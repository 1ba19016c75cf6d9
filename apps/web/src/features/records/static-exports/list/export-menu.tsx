import type { StaticExport } from '@docket/api-types/static-exports'
import { useState, type ReactNode } from 'react'
import { formatDomain } from '#features/records/static-exports/export-state.ts'
import { lazyWithPreload, lazyDialog } from '#ui/overlays/lazy.tsx'
import { Menu } from '#ui/overlays/menu.tsx'

const ExportCommands = lazyWithPreload(async () => (await import('./export-commands.tsx')).ExportCommands)

const CancelDialog = lazyDialog(
  async () => (await import('#features/records/static-exports/actions/cancel-dialog.tsx')).CancelDialog,
)

/** `children`: further commands, before those of the export. */
type ExportMenuProps = { row: StaticExport; name?: string; className?: string; children?: ReactNode }

export const ExportMenu = ({ row, name = formatDomain(row), className = '', children }: ExportMenuProps) => {
  const [cancelling, setCancelling] = useState(false)
  return (
    <>
      <Menu label={`More for ${name}`} className={className}>
        {children}
        <ExportCommands row={row} onPage={false} onCancel={() => setCancelling(true)} />
      </Menu>
      {cancelling && <CancelDialog row={row} onClose={() => setCancelling(false)} />}
    </>
  )
}
