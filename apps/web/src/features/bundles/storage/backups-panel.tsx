import type { BackupReport } from '@docket/api-types/backups'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { get, post } from '#lib/api/api.ts'
import { refetchInterval } from '#lib/polling/polling.ts'
import { formatBytes } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { Panel } from '#ui/layout/page.tsx'
import { Ago, Instant, usePaused } from '#ui/live/ticking.tsx'
import { toastEnd, useWrite } from '#ui/live/use-write.ts'
import { Notice } from '#ui/messages/notice.tsx'
import { Fact, Facts } from '#ui/records/facts.tsx'

const backupsQuery = (paused: boolean) =>
  queryOptions({
    queryKey: ['backups'],
    queryFn: ({ signal }) => get('/api/backups', { signal }),
    refetchInterval: refetchInterval<BackupReport>({ paused, isLive: ({ runningSince }) => runningSince !== null }),
  })

const targets = { folder: 'A folder', s3: 'An S3 object store' } as const

const BackUpNowButton = ({ isRunning }: { isRunning: boolean }) => {
  const { mutateAsync, isPending } = useWrite(['backups'], () => post('/api/backups'))
  return (
    <Button
      busy={isPending}
      refused={isRunning ? 'A backup is being made.' : null}
      onClick={() => toastEnd(mutateAsync(), 'Docket begins a backup within a few seconds.')}
    >
      Back up now
    </Button>
  )
}

const BackupNumbers = ({ report }: { report: BackupReport }) => {
  const { schedule, runningSince, last } = report
  return (
    <Facts>
      <Fact name="Last backup">
        {last === null ? (
          'None yet'
        ) : (
          <>
            <Ago at={last.endedAt} />, {formatBytes(last.sizeBytes)}
          </>
        )}
      </Fact>
      <Fact name="Name">{last && <span className="wrap-anywhere">{last.name}</span>}</Fact>
      <Fact name="Now">
        {runningSince !== null && (
          <>
            Being made since <Instant at={runningSince} />
          </>
        )}
      </Fact>
      <Fact name="Next backup">{schedule && <Instant at={schedule.nextAt} />}</Fact>
      <Fact name="Schedule">{schedule && `${schedule.cron} (${schedule.timeZone})`}</Fact>
      <Fact name="Place">
        {schedule && `${targets[schedule.target]}, ${schedule.encrypted ? 'encrypted' : 'not encrypted'}`}
      </Fact>
      <Fact name="Kept">{schedule && `The newest ${schedule.keep}`}</Fact>
    </Facts>
  )
}

export const BackupsPanel = () => {
  const paused = usePaused()
  const { data: report } = useQuery(backupsQuery(paused))
  if (report === undefined) return null
  const { schedule, failure, runningSince } = report
  return (
    <Panel title="Backups" action={schedule && <BackUpNowButton isRunning={runningSince !== null} />}>
      {failure && (
        <div className="mb-3">
          <Notice tone="failed" title="The last backup failed">
            {failure.reason} <Ago at={failure.at} />.
          </Notice>
        </div>
      )}
      {schedule === null ? (
        <p className="text-sm text-muted">
          No backups are scheduled. Set <code>BACKUP_SCHEDULE</code>, or run <code>docket backup</code> regularly.
        </p>
      ) : (
        <BackupNumbers report={report} />
      )}
    </Panel>
  )
}
