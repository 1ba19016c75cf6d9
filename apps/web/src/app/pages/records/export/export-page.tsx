import type { StaticExport } from '@docket/api-types/static-exports'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useMatches, useParams } from '@tanstack/react-router'
import { Archive, ArchiveX, Server, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useRecordTitle } from '#app/titles/page-title.ts'
import { formatExportTitle } from '#app/titles/record-title.ts'
import { ExportAction } from '#features/records/static-exports/actions/export-action.tsx'
import { useCancelRefusal } from '#features/records/static-exports/actions/use-refusals.ts'
import { useKeepBundle } from '#features/records/static-exports/artifacts/artifacts.queries.ts'
import { ExportFrame } from '#features/records/static-exports/details/export-frame.tsx'
import { explainEnd } from '#features/records/static-exports/details/why-panel.tsx'
import { DownloadFiles } from '#features/records/static-exports/download/download-files.tsx'
import { formatDomain } from '#features/records/static-exports/export-state.ts'
import { exportQuery } from '#features/records/static-exports/static-exports.queries.ts'
import { PublishButton, useMainChannel } from '#features/releases/sites/export-publishing.tsx'
import { Button } from '#ui/buttons/button.tsx'
import { useReadOnly, useRecordRefusal } from '#ui/connections/connections.tsx'
import { BackLink } from '#ui/links/link.tsx'
import { usePaused } from '#ui/live/ticking.tsx'
import { toastEnd } from '#ui/live/use-write.ts'
import { lazyDialog, lazyWithPreload } from '#ui/overlays/lazy.tsx'
import { MenuItem, MenuLine, Menu } from '#ui/overlays/menu.tsx'
import { ExportTabs } from './export-tabs.tsx'

const ExportCommands = lazyWithPreload(
  async () => (await import('#features/records/static-exports/list/export-commands.tsx')).ExportCommands,
)

type ExportDialog = 'cancel' | 'delete' | 'hosting'

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

const ExportPageMenu = ({ row, onOpen }: MenuProps) => (
  <Menu label={`More for ${formatDomain(row)}`}>
    {row.artifact?.state === 'stored' && <BundleCommands row={row} onOpen={onOpen} />}
    <ExportCommands row={row} onPage onCancel={() => onOpen('cancel')} />
  </Menu>
)

const CancelDialog = lazyDialog(
  async () => (await import('#features/records/static-exports/actions/cancel-dialog.tsx')).CancelDialog,
)
const DeleteCopyDialog = lazyDialog(
  async () => (await import('#features/records/static-exports/artifacts/delete-copy-dialog.tsx')).DeleteCopyDialog,
)
const HostConfigurationDialog = lazyDialog(
  async () =>
    (await import('#features/bundles/host-configuration/host-configuration-dialog.tsx')).HostConfigurationDialog,
)

/** Next steps of an export, but for those that the overview of a failed one offers. */
const HeaderActions = ({ row }: { row: StaticExport }) => {
  const [open, setOpen] = useState<ExportDialog | null>(null)
  const live = useMainChannel(row)
  const notCancelled = useCancelRefusal(row)
  const readOnly = useReadOnly(row)
  const onClose = () => setOpen(null)
  // Once something is live, publishing is the next step of another export.
  const publishesNext = live?.channel.current && live.channel.mayPublish && !live.isShown
  return (
    <>
      {row.artifact?.state === 'stored' ? (
        <DownloadFiles row={row} filled={!publishesNext} />
      ) : (
        readOnly === null && explainEnd(row) === null && <ExportAction row={row} size="md" />
      )}
      {/* The menu never wraps alone. */}
      <span className="flex items-center gap-2">
        <PublishButton row={row} />
        {notCancelled !== undefined && (
          <Button size="md" refused={notCancelled} onClick={() => setOpen('cancel')}>
            Cancel export…
          </Button>
        )}
        <ExportPageMenu row={row} onOpen={setOpen} />
      </span>
      {open === 'cancel' && <CancelDialog row={row} onClose={onClose} />}
      {open === 'delete' && <DeleteCopyDialog row={row} onClose={onClose} />}
      {open === 'hosting' && <HostConfigurationDialog exportId={row.exportId} domain={row.domain} onClose={onClose} />}
    </>
  )
}

export const ExportPage = () => {
  const { exportId } = useParams({ from: '/inside/exports/$exportId' })
  const { data: row } = useQuery(exportQuery(exportId, usePaused()))
  const part = useMatches({ select: (matches) => matches.at(-1)?.staticData.title })
  useRecordTitle(row ? [part !== 'Export' && part, formatExportTitle(row)].filter(Boolean).join(' · ') : null)
  return (
    <>
      <BackLink to="/exports">← Exports</BackLink>
      <ExportFrame
        key={exportId}
        exportId={exportId}
        tabs={(shown) => <ExportTabs row={shown} />}
        actions={(shown) => <HeaderActions row={shown} />}
      >
        <Outlet />
      </ExportFrame>
    </>
  )
}
