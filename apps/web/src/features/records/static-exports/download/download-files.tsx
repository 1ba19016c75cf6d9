import type { StaticExport } from '@docket/api-types/static-exports'
import { ChevronDown, Download } from 'lucide-react'
import { useDownloadRefusal } from '#features/records/static-exports/actions/use-refusals.ts'
import { printChecksumPath, printZipPath } from '#features/records/static-exports/artifacts/artifacts.queries.ts'
import { buttonClass } from '#ui/buttons/button.tsx'
import { saveFile } from '#ui/copying/save-file.ts'
import { MenuItem, Menu } from '#ui/overlays/menu.tsx'
import { DownloadButton } from './download-button.tsx'

/** Downloads a bundle, or opens the menu of its other files, which only Docket's own copy has. */
export const DownloadFiles = ({ row, filled }: { row: StaticExport; filled: boolean }) => {
  const { exportId } = row
  const refused = useDownloadRefusal(row)
  if (refused !== null || row.artifact?.state !== 'stored')
    return <DownloadButton row={row} size="md" filled={filled} />
  return (
    <span className="inline-flex gap-px">
      <DownloadButton row={row} size="md" filled={filled} className="rounded-e-none" />
      <Menu
        label="Other downloads"
        icon={<ChevronDown className="size-4" aria-hidden="true" />}
        className={`${buttonClass({ variant: filled ? 'primary' : 'secondary', size: 'md' })} rounded-s-none px-2!`}
      >
        <MenuItem icon={<Download />} onSelect={() => saveFile(printZipPath(exportId))}>
          .zip
        </MenuItem>
        <MenuItem icon={<Download />} onSelect={() => saveFile(printChecksumPath(exportId))}>
          .sha256
        </MenuItem>
      </Menu>
    </span>
  )
}
