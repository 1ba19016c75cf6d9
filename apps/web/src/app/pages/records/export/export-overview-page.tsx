import { ChangesPanel } from '#features/bundles/comparison/changes-panel.tsx'
import { FindingsPanel } from '#features/bundles/findings/findings-panel.tsx'
import { ExportOverview } from '#features/records/static-exports/details/export-overview.tsx'
import { LiveLine, useMainChannel } from '#features/releases/sites/export-publishing.tsx'
import { useExport } from './use-export.ts'

export const ExportOverviewPage = () => {
  const row = useExport()
  const live = useMainChannel(row ?? { exportId: '' })
  if (!row) return null
  const { exportId, artifact } = row
  return (
    <ExportOverview
      row={row}
      answers={
        artifact && (
          <>
            <ChangesPanel
              exportId={exportId}
              change={artifact.change}
              liveId={live?.isShown ? null : (live?.channel.current?.exportId ?? null)}
              live={<LiveLine row={row} />}
              hasPicture={artifact.hasPicture === true}
            />
            <FindingsPanel exportId={exportId} check={artifact.check} madePortable={artifact.madePortable === true} />
          </>
        )
      }
    />
  )
}
