import type { StaticExport } from '@docket/api-types/static-exports'
import type { MouseEvent } from 'react'
import { useDownloadRefusal } from '#features/records/static-exports/actions/use-refusals.ts'
import { formatDomain } from '#features/records/static-exports/export-state.ts'
import { printDownloadPath, usePrepareDownload } from '#features/records/static-exports/static-exports.queries.ts'
import { formatBytes } from '#lib/text/format.ts'
import { Button, buttonClass, type ButtonLook } from '#ui/buttons/button.tsx'
import { LineIcon } from '#ui/marks/line-icon.tsx'
import { Spinner } from '#ui/marks/spinner.tsx'
import { toastFailure } from '#ui/messages/toast.ts'
import { savePrepared } from './save-prepared.ts'

const tray = 'M12 15V3M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4M7 10l5 5 5-5'

type DownloadButtonProps = { row: StaticExport; filled?: boolean; className?: string } & Pick<ButtonLook, 'size'>

/** Link that downloads the bundle. A click prepares one that isn't stored, because a failing download shows no reason. */
export const DownloadButton = ({ row, size = 'sm', filled = false, className = '' }: DownloadButtonProps) => {
  const prepare = usePrepareDownload()
  const refused = useDownloadRefusal(row)
  const href = printDownloadPath(row.exportId)
  const isStored = row.artifact?.state === 'stored'
  const sizeBytes = row.artifact?.sizeBytes ?? row.bundle?.sizeBytes ?? null
  const download = (event: MouseEvent) => {
    if (isStored || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    if (prepare.isPending) return
    prepare.mutate(row.exportId, {
      onSuccess: (prepared) => savePrepared(row.exportId, formatDomain(row), prepared),
      onError: toastFailure(`Could not download ${formatDomain(row)}.`),
    })
  }
  const words = prepare.isPending
    ? 'Preparing'
    : ['Download', sizeBytes !== null && formatBytes(sizeBytes)].filter(Boolean).join(' ')
  const label = `${words} bundle of ${formatDomain(row)}`
  if (refused !== null)
    return (
      <Button size={size} className={className} refused={refused} aria-label={label}>
        <LineIcon path={tray} />
        {words}
      </Button>
    )
  return (
    <a
      href={href}
      download
      onClick={download}
      aria-busy={prepare.isPending || undefined}
      aria-label={label}
      className={`${buttonClass({ variant: filled ? 'primary' : 'secondary', size })} ${className}`}
    >
      {prepare.isPending ? <Spinner /> : <LineIcon path={tray} />}
      {words}
    </a>
  )
}
