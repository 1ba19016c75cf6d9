import type { StaticExport } from '@docket/api-types/static-exports'
import { LifeBuoy } from 'lucide-react'
import { copyExportFacts } from '#features/records/static-exports/actions/copy-export-facts.ts'
import { ExportAction } from '#features/records/static-exports/actions/export-action.tsx'
import { isCancelledExport } from '#features/records/static-exports/export-state.ts'
import { useAttachExportJob } from '#features/records/static-exports/static-exports.queries.ts'
import { Button } from '#ui/buttons/button.tsx'
import { useRecordRefusal } from '#ui/connections/connections.tsx'
import { Panel } from '#ui/layout/page.tsx'
import { Instant } from '#ui/live/ticking.tsx'
import { toastEnd } from '#ui/live/use-write.ts'

/** Follows the job that the service named instead of starting one. Renders nothing if it named none. */
const TrackButton = ({ row }: { row: StaticExport }) => {
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

type Why = { title: string; usually: string; advice: string }

const explainFailure = ({ reason, jobId }: StaticExport): Why => {
  const title = 'The service could not finish it'
  return reason === null
    ? {
        title,
        usually: 'A page or file of the site’s sources, or the service itself stopped.',
        advice: `Try again. If it fails again, look for ${jobId === null ? 'it' : `job ${jobId}`} at the service.`,
      }
    : {
        title,
        usually: 'A page or file of the site’s sources.',
        advice: 'Mend what the service names, then try again.',
      }
}

/** Why an export has no result, and what to do about it. Null while it runs, and for one that completed or was cancelled. */
export const explainEnd = (row: StaticExport): Why | null => {
  if (row.state === 'unknown')
    return row.replacedBy
      ? null
      : {
          title: 'It may be running',
          usually: 'The response got lost on its way, and the export runs.',
          advice: 'Look for it at the service. Press Decide when you know.',
        }
  if (row.state === 'failed') return isCancelledExport(row) ? null : explainFailure(row)
  if (row.state === 'refused')
    return {
      title: 'Nothing was started',
      usually: 'The service’s plan, or a domain or page that it doesn’t know.',
      advice: 'Mend what the reason names, then try again.',
    }
  return row.goneAt !== null && row.state !== 'completed'
    ? {
        title: 'The service no longer finds this job',
        usually: 'Somebody deleted the job at the service, or the service was set up anew.',
        advice: 'Try again. Docket keeps the last known state of this one.',
      }
    : null
}

const Reason = ({ row }: { row: StaticExport }) => {
  if (row.reason !== null) return <bdi>{row.reason}</bdi>
  if (row.goneAt !== null)
    return (
      <>
        Not found since <Instant at={row.goneAt} />.
      </>
    )
  return 'The service gave no reason.'
}

const part = 'font-medium text-muted not-first:mt-3 sm:not-first:mt-0'

/** Explains the end of an export and offers the next step. Renders nothing if there is nothing to explain. */
export const WhyPanel = ({ row }: { row: StaticExport }) => {
  const why = explainEnd(row)
  if (why === null) return null
  // Without a job, a failed call explains the end.
  const cause = row.jobId === null && row.checkFailure?.message !== row.reason ? row.checkFailure : null
  return (
    <Panel title={why.title}>
      <dl className="gap-x-6 gap-y-3 text-sm sm:grid sm:grid-cols-[max-content_minmax(0,70ch)]">
        <dt className={part}>Reason</dt>
        <dd dir="auto" className="text-base font-medium wrap-anywhere sm:-mt-0.5">
          <Reason row={row} />
          {cause && <span className="block text-sm font-normal text-muted">{cause.message}</span>}
        </dd>
        <dt className={part}>Usual cause</dt>
        <dd>{why.usually}</dd>
        <dt className={part}>What to do</dt>
        <dd className="wrap-anywhere">{why.advice}</dd>
      </dl>
      <div className="mt-5 flex flex-wrap items-center gap-2">
        <ExportAction row={row} size="md" />
        <TrackButton row={row} />
        <Button icon={LifeBuoy} size="md" onClick={() => void copyExportFacts(row)}>
          Copy for support
        </Button>
      </div>
    </Panel>
  )
}
