import type { StaticExport } from '@docket/api-types/static-exports'
import { useAttachExportJob } from '#features/records/static-exports/static-exports.queries.ts'
import { Button } from '#ui/buttons/button.tsx'
import { useRecordRefusal } from '#ui/connections/use-connections.ts'
import { toastEnd } from '#ui/live/use-write.ts'

/** Follows the job that the service named instead of starting one. Renders nothing if it named none. */
export const TrackButton = ({ row }: { row: StaticExport }) => {
  const attach = useAttachExportJob()
  const refused = useRecordRefusal(row)
  const jobId = row.checkFailure?.jobId
  if (jobId === undefined || row.jobId !== null || row.replacedBy !== null) return null
  const { exportId } = row
  const track = () => toastEnd(attach.mutateAsync({ exportId, jobId }), `Tracking job ${jobId}.`)
  return (
    <Button size="md" busy={attach.isPending} refused={refused} onClick={track}>
      Track job <bdi>{jobId}</bdi>
    </Button>
  )
}
