import type { StaticExport } from '@docket/api-types/static-exports'
import { Download } from 'lucide-react'
import type { MouseEvent } from 'react'
import { messageOf } from '#lib/api-error.ts'
import { formatBytes } from '#lib/format.ts'
import { buttonClass, type ButtonLook } from '#ui/button.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { toast } from '#ui/toast.ts'
import { domainOf } from './export-state.ts'
import { downloadPath, usePrepare } from './static-exports.queries.ts'

const saveFrom = (href: string) => {
  const link = document.createElement('a')
  link.href = href
  link.download = ''
  link.click()
}

/**
 * Downloads the bundle. A real link, so that it can be copied or opened in another way; a click first asks Docket to make sure
 * that the bundle is there, because a download that fails later can only fail without a reason.
 */
export const DownloadButton = ({ row, size = 'sm' }: { row: StaticExport } & Pick<ButtonLook, 'size'>) => {
  const prepare = usePrepare()
  const href = downloadPath(row.exportId)
  const sizeBytes = row.bundle?.sizeBytes ?? null
  const download = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    if (prepare.isPending) return
    prepare.mutate(row.exportId, {
      onSuccess: () => saveFrom(href),
      onError: (error) => toast(`Could not download ${domainOf(row)}. ${messageOf(error)}`, { tone: 'failed' }),
    })
  }
  return (
    <a
      href={href}
      download
      onClick={download}
      aria-busy={prepare.isPending || undefined}
      className={buttonClass({ variant: 'primary', size })}
    >
      {prepare.isPending ? <Spinner /> : <Download className="size-3.5" aria-hidden="true" />}
      {prepare.isPending ? 'Preparing' : 'Download'}
      {sizeBytes !== null && !prepare.isPending && (
        <span className="font-normal opacity-90">{formatBytes(sizeBytes)}</span>
      )}
      <span className="sr-only"> bundle of {domainOf(row)}</span>
    </a>
  )
}
