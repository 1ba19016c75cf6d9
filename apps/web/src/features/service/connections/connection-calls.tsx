import type { ConnectionReport, Operation, CallBudget as Budget } from '@docket/api-types/connection'
import type { RecordKey } from '@docket/api-types/history'
import { useQuery } from '@tanstack/react-query'
import type { LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { post } from '#lib/api/api.ts'
import { formatCount, formatPlural, formatRate, formatRough, formatUntil } from '#lib/text/format.ts'
import { nowMs } from '#lib/time/clock.ts'
import { Button } from '#ui/buttons/button.tsx'
import { useRefusal } from '#ui/forms/use-refusal.ts'
import { ReadState } from '#ui/layout/page.tsx'
import { Link } from '#ui/links/link.tsx'
import { Ago, Instant, TickingText, usePaused } from '#ui/live/ticking.tsx'
import { toastEnd, useWrite } from '#ui/live/use-write.ts'
import { StateMark } from '#ui/marks/state-mark.tsx'
import { Notice } from '#ui/messages/notice.tsx'
import { fillCallsByHour } from './calls/calls-by-hour.ts'
import { CallsChart } from './calls/calls-chart.tsx'
import { reportQuery } from './connection.queries.ts'
import { Fold } from './fold.tsx'

const formatShare = (calls: number, total: number) => `${Math.min(100, (calls / Math.max(1, total)) * 100)}%`

const BudgetMeter = ({ budget: { callsPerHour, spent, reserve, left } }: { budget: Budget }) => {
  const all = spent.polls + spent.clicks
  return (
    <div
      role="meter"
      aria-label="Calls of the last hour"
      aria-valuemin={0}
      aria-valuemax={callsPerHour}
      aria-valuenow={Math.min(all, callsPerHour)}
      aria-valuetext={`${formatCount(all)} of ${formatCount(callsPerHour)}, ${formatCount(left)} left`}
      className="relative flex h-2.5 overflow-hidden rounded-full bg-idle-soft"
    >
      <div className="h-full bg-accent" style={{ width: formatShare(spent.polls, callsPerHour) }} />
      <div className="h-full bg-idle" style={{ width: formatShare(spent.clicks, callsPerHour) }} />
      <div
        className="hatched absolute inset-y-0 right-0 border-l border-line-strong"
        style={{ width: formatShare(reserve, callsPerHour) }}
      />
    </div>
  )
}

const NoPollingNotice = ({ clicks }: { clicks: number }) => (
  <p className="text-sm text-muted">
    <strong className="font-medium text-text">Polling is off,</strong> because the budget is 0 calls per hour. Docket
    only calls the service on a click, such as <em>Check now</em> on an export or job: {formatPlural(clicks, 'call')} in
    the last hour.
  </p>
)

const CallBudget = ({ budget }: { budget: Budget }) => {
  const { callsPerHour, spent, left, reserve, nextPollAt } = budget
  if (callsPerHour === 0) return <NoPollingNotice clicks={spent.clicks} />
  return (
    <>
      <BudgetMeter budget={budget} />
      <p className="mt-2 text-xs text-muted">
        {formatCount(left)} of {formatPlural(callsPerHour, 'call')} left this hour, {formatCount(reserve)} of them for
        clicks, across all replicas.
        {nextPollAt && (
          <>
            {' '}
            Next poll <TickingText text={(now) => formatUntil(nextPollAt, now)} />.
          </>
        )}
      </p>
    </>
  )
}

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

const OperationsList = ({ operations }: Pick<ConnectionReport, 'operations'>) =>
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

const ResumeButton = ({ connectionId }: { connectionId: string }) => {
  const resume = useWrite(['connection', 'status'], () =>
    post('/api/connection/resume', { query: { connection: connectionId } }),
  )
  return (
    <Button busy={resume.isPending} onClick={() => toastEnd(resume.mutateAsync(), 'Calls resumed.')}>
      Resume now
    </Button>
  )
}

type HeldBackProps = Pick<ConnectionReport, 'gates' | 'late'> & { connectionId: string; isAdmin: boolean }

const HeldBackReads = ({ connectionId, gates, late, isAdmin }: HeldBackProps) => (
  <div className="space-y-2 pb-3 empty:hidden">
    {gates.map((breaker) => (
      <Notice
        key={`${breaker.calls} ${breaker.since}`}
        tone="attention"
        title={`${callLabels[breaker.calls]} are held back`}
        action={isAdmin && <ResumeButton connectionId={connectionId} />}
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
  </div>
)

export type LinkToRecord = (key: RecordKey) => Pick<LinkProps, 'to' | 'params' | 'search'>
type NextChecksProps = Pick<ConnectionReport, 'nextChecks'> & { linkTo: LinkToRecord }

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

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="min-w-0">
    <h4 className="mb-2 text-sm font-semibold">{title}</h4>
    {children}
  </section>
)

type CallsProps = { connectionId: string; linkTo: LinkToRecord }

/** The calls of a connection in one line, which opens their plots and the next checks, and what holds calls back. */
export const ConnectionCalls = ({ connectionId, linkTo }: CallsProps) => {
  const query = useQuery(reportQuery(connectionId, usePaused()))
  const { data } = query
  const isAdmin = useRefusal('admin') === null
  const { polls = 0, clicks = 0 } = data?.budget.spent ?? {}
  // The banner is about a rejected key.
  const gates = data?.gates.filter(({ code }) => code !== 'upstream_key_rejected') ?? []
  return (
    <>
      {data && <HeldBackReads {...{ connectionId, gates, isAdmin }} late={data.late} />}
      <Fold
        title={
          data
            ? `${formatPlural(polls + clicks, 'API call')} in the last hour (${formatCount(polls)} automatic)`
            : 'API calls'
        }
      >
        <ReadState query={query} />
        {data && (
          <>
            <CallBudget budget={data.budget} />
            <CallsChart hours={fillCallsByHour(data.hours, nowMs())} />
            <div className="grid gap-4 md:grid-cols-2">
              <Part title="Last calls">
                <OperationsList operations={data.operations} />
              </Part>
              <Part title="Next checks">
                <NextCheckList nextChecks={data.nextChecks} linkTo={linkTo} />
              </Part>
            </div>
          </>
        )}
      </Fold>
    </>
  )
}
