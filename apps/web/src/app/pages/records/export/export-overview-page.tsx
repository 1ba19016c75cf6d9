import { HostConfigurationButton } from '#features/host-configuration/host-configuration-button.tsx'
import { PublishingPanel } from '#features/sites/export-publishing.tsx'
import { ExportOverview } from '#features/static-exports/details/export-overview.tsx'
import { useExport } from './use-export.ts'

/** What matters about an export. */
export const ExportOverviewPage = () => {
  const row = useExport()
  return (
    row && (
      <ExportOverview
        row={row}
        readers={<PublishingPanel row={row} />}
        hosting={<HostConfigurationButton exportId={row.exportId} domain={row.domain} />}
      />
    )
  )
}
