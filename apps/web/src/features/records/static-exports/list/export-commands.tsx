import type { StaticExport } from '@docket/api-types/static-exports'
import { useRouter } from '@tanstack/react-router'
import {
  CircleCheck,
  CircleX,
  FileText,
  Globe,
  KeyRound,
  LifeBuoy,
  Link2,
  RefreshCw,
  RotateCw,
  Trash2,
} from 'lucide-react'
import { copyExportFacts } from '#features/records/static-exports/actions/copy-export-facts.ts'
import { useCancelRefusal } from '#features/records/static-exports/actions/use-refusals.ts'
import {
  useDismissExportWithUndo,
  useRemoveExportWithUndo,
} from '#features/records/static-exports/actions/with-undo.ts'
import { buildDomainLink } from '#features/records/static-exports/domain/domain-link.ts'
import { buildExportLink, formatDomain, isRunningExport } from '#features/records/static-exports/export-state.ts'
import { toRestartRequest, useStartExport } from '#features/records/static-exports/start/start-context.tsx'
import { fetchBundleLink, useCheckExportNow } from '#features/records/static-exports/static-exports.queries.ts'
import { formatDeadline } from '#lib/text/format.ts'
import { nowMs } from '#lib/time/clock.ts'
import { useReadOnly, useRecordRefusal } from '#ui/connections/connections.tsx'
import { copyPageLink } from '#ui/copying/copy.ts'
import { toastEnd } from '#ui/live/use-write.ts'
import { toast, toastFailure } from '#ui/messages/toast.ts'
import { MenuItem, MenuLine } from '#ui/overlays/menu.tsx'

const copySecretLink = async (row: StaticExport) => {
  try {
    const { bundleUrl, expiresAt } = await fetchBundleLink(row.exportId)
    await navigator.clipboard.writeText(bundleUrl)
    const end = expiresAt
      ? ` until ${formatDeadline(expiresAt, nowMs())}.`
      : '. It expires, but the service doesn’t say when.'
    toast(`Secret link copied. Anyone with this link can download the bundle${end}`, { tone: 'done' })
  } catch (error) {
    toastFailure('Could not copy the link.')(error)
  }
}

type ExportCommandsProps = { row: StaticExport; onPage: boolean; onCancel: () => void }

export const ExportCommands = ({ row, onPage, onCancel }: ExportCommandsProps) => {
  const router = useRouter()
  const link = buildExportLink(row.exportId)
  const check = useCheckExportNow()
  const { start } = useStartExport()
  const removeRow = useRemoveExportWithUndo()
  const dismissRow = useDismissExportWithUndo()
  const refused = useRecordRefusal(row)
  const notCancelled = useCancelRefusal(row)
  // Refused for a read-only record, because it calls the service.
  const unasked = useReadOnly(row) ?? refused
  const checkNow = () =>
    toastEnd(
      check.mutateAsync(row.exportId),
      `Checked ${formatDomain(row)} just now.`,
      `Could not check ${formatDomain(row)}.`,
    )
  return (
    <>
      {!onPage && (
        <>
          <MenuItem icon={<FileText />} onSelect={() => void router.navigate(link)}>
            Open
          </MenuItem>
          <MenuItem icon={<Globe />} onSelect={() => void router.navigate(buildDomainLink(formatDomain(row)))}>
            Open site
          </MenuItem>
        </>
      )}
      {row.jobId !== null && (
        <MenuItem icon={<RefreshCw />} refused={unasked} onSelect={checkNow}>
          Check now
        </MenuItem>
      )}
      {notCancelled !== undefined && (
        <MenuItem icon={<CircleX />} refused={notCancelled} onSelect={onCancel}>
          Cancel export…
        </MenuItem>
      )}
      {!isRunningExport(row) && row.state !== 'unknown' && (
        <MenuItem icon={<RotateCw />} refused={unasked} onSelect={() => start(toRestartRequest(row))}>
          Export again
        </MenuItem>
      )}
      {row.needsAttention && (
        <MenuItem icon={<CircleCheck />} refused={refused} onSelect={() => dismissRow(row)}>
          Dismiss
        </MenuItem>
      )}
      <MenuItem icon={<Link2 />} onSelect={() => void copyPageLink(router.buildLocation(link).href)}>
        Copy page link
      </MenuItem>
      {row.state === 'completed' && row.jobId !== null && (
        <MenuItem icon={<KeyRound />} refused={unasked} onSelect={() => void copySecretLink(row)}>
          Copy secret download link…
        </MenuItem>
      )}
      <MenuItem icon={<LifeBuoy />} onSelect={() => void copyExportFacts(row)}>
        Copy for support
      </MenuItem>
      <MenuLine />
      <MenuItem icon={<Trash2 />} danger refused={refused} onSelect={() => removeRow(row)}>
        Remove from list
      </MenuItem>
    </>
  )
}
