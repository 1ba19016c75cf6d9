import type { StaticExport } from '@docket/api-types/static-exports'
import { lazyLater } from '#ui/lazy-later.ts'
import { Menu } from '#ui/overlays/menu.tsx'
import { formatDomain } from './export-state.ts'

const ExportCommands = lazyLater(async () => (await import('./export-commands.tsx')).ExportCommands)

type ExportMenuProps = { row: StaticExport; onPage?: boolean; className?: string }

/** Menu of an export. */
export const ExportMenu = ({ row, onPage = false, className = '' }: ExportMenuProps) => (
  <Menu label={`More for ${formatDomain(row)}`} className={className}>
    <ExportCommands row={row} onPage={onPage} />
  </Menu>
)
