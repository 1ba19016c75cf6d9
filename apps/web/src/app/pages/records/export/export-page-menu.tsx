import type { StaticExport } from '@docket/api-types/static-exports'
import { Archive, ArchiveX, Server, Trash2 } from 'lucide-react'
import { useKeepBundle } from '#features/records/static-exports/artifacts/artifacts.queries.ts'
import { formatDomain } from '#features/records/static-exports/export-state.ts'
import { useRecordRefusal } from '#ui/connections/use-connections.ts'
import { toastEnd } from '#ui/live/use-write.ts'
import { lazyWithPreload } from '#ui/overlays/lazy.tsx'
import { MenuItem, MenuLine } from '#ui/overlays/menu-item.tsx'
import { Menu } from '#ui/overlays/menu.tsx'

const ExportCommands = lazyWithPreload(
  async () => (await import('#features/records/static-exports/list/export-commands.tsx')).ExportCommands,
)

export type ExportDialog = 'cancel' | 'delete' | 'hosting'

type MenuProps = { row: StaticExport; onOpen: (dialog: ExportDialog) => void }

/** Commands about Docket's own copy. A viewer sees none that they may not use. */
const BundleCommands = ({ row, onOpen }: MenuProps) => {
  const keep = useKeepBundle()
  const mayChange = useRecordRefusal(row) === null
  const kept = row.artifact?.kept ?? false
  const toggle = () =>
    toastEnd(
      keep.mutateAsync({ exportId: row.exportId, keep: !kept }),
      kept
        ? `The bundle of ${formatDomain(row)} is kept while it is one of the newest.`
        : `Keeping the bundle of ${formatDomain(row)} for good.`,
      `Could not change how long the bundle of ${formatDomain(row)} is kept.`,
    )
  return (
    <>
      <MenuItem icon={<Server />} onSelect={() => onOpen('hosting')}>
        Host configuration…
      </MenuItem>
      {mayChange && (
        <>
          <MenuItem icon={kept ? <ArchiveX /> : <Archive />} onSelect={toggle}>
            {kept ? 'Keep no longer' : 'Keep for good'}
          </MenuItem>
          <MenuItem icon={<Trash2 />} danger onSelect={() => onOpen('delete')}>
            Delete the bundle…
          </MenuItem>
        </>
      )}
      <MenuLine />
    </>
  )
}

export const ExportPageMenu = ({ row, onOpen }: MenuProps) => (
  <Menu label={`More for ${formatDomain(row)}`}>
    {row.artifact?.state === 'stored' && <BundleCommands row={row} onOpen={onOpen} />}
    <ExportCommands row={row} onPage onCancel={() => onOpen('cancel')} />
  </Menu>
)
