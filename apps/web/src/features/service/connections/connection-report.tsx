import { post } from '#lib/api/api.ts'
import type { RecordKey } from '@docket/api-types/history'
import type { ConnectionReport as Report, Operation } from '@docket/api-types/connection'
import { useQuery } from '@tanstack/react-query'
import type { LinkProps } from '@tanstack/react-router'
import { nowMs } from '#lib/time/clock.ts'
import { formatPlural, formatRough, formatUntil, formatCount, formatRate } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { useRefusal } from '#ui/forms/use-refusal.ts'
import { useConnections } from '#ui/connections/use-connections.ts'
import { Fact, Facts } from '#ui/records/facts.tsx'
import { Link } from '#ui/links/link.tsx'
import { Notice } from '#ui/messages/notice.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { Skeleton } from '#ui/layout/skeleton.tsx'
import { StaleNotice } from '#ui/records/stale-notice.tsx'
import { Ago, Instant, TickingText } from '#ui/live/ticking.tsx'
import { toastEnd, useWrite } from '#ui/live/use-write.ts'
import { usePaused } from '#ui/live/use-paused.ts'
import { CallBudget } from './calls/call-budget.tsx'
import { fillCallsByHour } from './calls/calls-by-hour.ts'
import { CallsChart } from './calls/calls-chart.tsx'
import { reportQuery } from './connection.queries.ts'
import { StateMark } from '#ui/marks/state-mark.tsx'

const names: Record<Operation, string> = {
  getAgentJob: 'Read an agent job',
  listAgentJobs: 'List the agent jobs of a project',
  createAgentJob: 'Create an agent job',
  sendAgentMessage: 'Send a follow-up',
  cancelAgentJob: 'Cancel an agent job',
  archiveAgentJob: 'Archive an agent job',
  readAgentJobLog: 'Read the log of an agent job',
  startStaticExport: 'Start an export',
  getStaticExport: 'Read an export',
  cancelStaticExport: 'Cancel an export',
  generateBundle: 'Create a bundle link',
}

const formatTook = (ms: number) => (ms < 1000 ? `${formatCount(ms)} ms` : `${formatRate(ms / 1000)} s`)

export const OperationsList = ({ operations }: Pick<Report, 'operations'>) =>
  operations.length === 0 ? (
    <p className="text-sm text-muted">No calls to the service yet.</p>
  ) : (
    <ul className="divide-y divide-line text-sm">
      {operations.map(({ operation, lastAt, lastOkAt, failure, lastMs }) => (
        <li key={operation} className="flex gap-2.5 py-2 first:pt-0 last:pb-0">
          <StateMark tone={failure ? 'failed' : 'done'} className="mt-0.5 size-4" />
          <div className="min-w-0 flex-1">
            <div className="flex flex-wrap justify-between gap-x-4">
              <span className="font-medium">
                {names[operation]}
                <span className="sr-only">{failure ? ': failed' : ': succeeded'}</span>
              </span>
              <span className="text-muted">
                <Ago at={lastAt} />, in {formatTook(lastMs)}
              </span>
            </div>
            {failure && (
              <p className="mt-0.5 text-muted wrap-anywhere">
                {failure.message}{' '}
                {lastOkAt ? (
                  <>
                    Last successful call <Ago at={lastOkAt} />.
                  </>
                ) : (
                  'No successful call yet.'
                )}
              </p>
            )}
          </div>
        </li>
      ))}
    </ul>
  )

const callLabels = {
  static_exports: 'Export calls',
  agent_jobs: 'Agent job calls',
  agent_prompts: 'Calls for new agent jobs and follow-ups',
}

/** Ends the pauses of more than an hour that the service asked for. */
const useResumeReads = (connectionId: string) =>
  useWrite(['connection', 'status'], () => post('/api/connection/resume', { query: { connection: connectionId } }))

const AskNowButton = ({ connectionId }: { connectionId: string }) => {
  const resume = useResumeReads(connectionId)
  return (
    <Button
      refused={useRefusal('admin')}
      busy={resume.isPending}
      onClick={() => toastEnd(resume.mutateAsync(), 'Calls resumed.')}
    >
      Resume now
    </Button>
  )
}

export const HeldBackReads = ({
  connectionId,
  gates,
  late,
}: Pick<Report, 'gates' | 'late'> & { connectionId: string }) => (
  <>
    {gates.map((breaker) => (
      <Notice
        key={`${breaker.calls} ${breaker.since}`}
        tone="attention"
        title={`${callLabels[breaker.calls]} are held back`}
        action={breaker.askedMs !== undefined && <AskNowButton connectionId={connectionId} />}
      >
        <span className="block">{breaker.message}</span>
        Since <Ago at={breaker.since} />; next call <TickingText text={(now) => formatUntil(breaker.until, now)} /> (
        <Instant at={breaker.until} />
        ).
      </Notice>
    ))}
    {late.count > 0 && (
      <Notice tone="attention" title={`${formatPlural(late.count, 'read is', 'reads are')} late`}>
        The longest by {formatRough(late.byMs)}. {late.why ?? 'Docket doesn’t know why.'}
      </Notice>
    )}
  </>
)

type NextChecksProps = Pick<Report, 'nextChecks'> & {
  linkTo: (key: RecordKey) => Pick<LinkProps, 'to' | 'params' | 'search'>
}

const NextCheckList = ({ nextChecks, linkTo }: NextChecksProps) =>
  nextChecks.length === 0 ? (
    <p className="text-sm text-muted">No checks due.</p>
  ) : (
    <ol className="space-y-1 text-sm">
      {nextChecks.map(({ key, title, nextCheckAt }) => (
        <li key={JSON.stringify(key)} className="flex justify-between gap-4">
          <Link
            {...linkTo(key)}
            className="min-w-0 truncate leading-6 underline-offset-2 hover:underline"
            title={title}
          >
            {title}
          </Link>
          <span className="shrink-0 leading-6 text-muted">
            <TickingText text={(now) => formatUntil(nextCheckAt, now)} />
          </span>
        </li>
      ))}
    </ol>
  )

const SettingName = ({ children }: { children: string }) => <code className="font-mono text-text">{children}</code>

type ConnectionReportProps = Pick<NextChecksProps, 'linkTo'> & {
  connectionId: string
  /** True on a page whose cards say what holds calls back. */
  besideCards: boolean
}

export const ConnectionReport = ({ connectionId, linkTo, besideCards }: ConnectionReportProps) => {
  const { data, error, dataUpdatedAt, refetch } = useQuery(reportQuery(connectionId, usePaused()))
  const several = (useConnections()?.length ?? 0) > 1
  if (!data)
    return error ? (
      <StaleNotice error={error} dataUpdatedAt={0} onRetry={() => void refetch()} />
    ) : (
      <Skeleton className="h-96 w-full" />
    )
  const { budget, gates, late, operations, hours, nextChecks, retentionDays } = data
  return (
    <>
      {error && <StaleNotice error={error} dataUpdatedAt={dataUpdatedAt} onRetry={() => void refetch()} />}
      {!besideCards && <HeldBackReads connectionId={connectionId} gates={gates} late={late} />}
      <Panel title="Calls to the service">
        <CallBudget budget={budget} />
        <div className="mt-5 border-t border-line pt-4">
          <CallsChart hours={fillCallsByHour(hours, nowMs())} />
        </div>
        <p className="mt-3 text-xs text-muted">
          {several ? (
            'Set the limit in the connection’s settings'
          ) : (
            <>
              <SettingName>ADMIN_API_CALLS_PER_HOUR</SettingName> sets the limit
            </>
          )}
          ; 0 switches polling off.
        </p>
      </Panel>
      <div className="grid gap-4 md:grid-cols-2">
        <Panel title="Last calls">
          <OperationsList operations={operations} />
        </Panel>
        <Panel title="Next checks">
          <NextCheckList nextChecks={nextChecks} linkTo={linkTo} />
        </Panel>
      </div>
      <Panel title="History">
        <Facts>
          <Fact name="Exports">kept for {formatPlural(retentionDays.staticExports, 'day')}</Fact>
          <Fact name="Agent jobs">kept for {formatPlural(retentionDays.agentJobs, 'day')}</Fact>
        </Facts>
        <p className="mt-3 text-xs text-muted">
          <SettingName>HISTORY_RETENTION_DAYS</SettingName> sets how long. Exports and jobs stay on their lists.
        </p>
      </Panel>
    </>
  )
}
