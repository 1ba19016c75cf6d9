import { HostConfigurationButton } from '#features/bundles/host-configuration/host-configuration-button.tsx'
import { PublishingPanel } from '#features/releases/sites/export-publishing.tsx'
import { ExportOverview } from '#features/records/static-exports/details/export-overview.tsx'
import { useExport } from './use-export.ts'

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
