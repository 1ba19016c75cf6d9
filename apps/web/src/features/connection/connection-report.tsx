import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { nowMs } from '#lib/clock.ts'
import { formatPlural } from '#lib/format.ts'
import { Fact, Facts } from '#ui/facts.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { StaleNotice } from '#ui/stale-notice.tsx'
import { usePaused } from '#ui/use-paused.ts'
import { CallBudget } from './call-budget.tsx'
import { callsByHour } from './calls-by-hour.ts'
import { CallsChart } from './calls-chart.tsx'
import { reportQuery } from './connection.queries.ts'
import { HeldBack } from './held-back.tsx'
import { NextChecks, type NextChecksProps } from './next-checks.tsx'
import { OperationsList } from './operations-list.tsx'

const Setting = ({ children }: { children: string }) => <code className="font-mono text-text">{children}</code>

const Panel = ({ id, title, children }: { id: string; title: string; children: ReactNode }) => (
  <section aria-labelledby={`${id}-heading`} className="panel min-w-0 p-5">
    <h2 id={`${id}-heading`} className="mb-3 text-base font-semibold">
      {title}
    </h2>
    {children}
  </section>
)

/** Open circuit breakers, budget, last responses and next checks. */
export const ConnectionReport = ({ linkTo }: Pick<NextChecksProps, 'linkTo'>) => {
  const { data, error, dataUpdatedAt, refetch } = useQuery(reportQuery(usePaused()))
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
      <HeldBack gates={gates} late={late} />
      <Panel id="calls" title="Calls to the service">
        <CallBudget budget={budget} />
        <div className="mt-5 border-t border-line pt-4">
          <CallsChart hours={callsByHour(hours, nowMs())} />
        </div>
        <p className="mt-3 text-xs text-muted">
          <Setting>ADMIN_API_CALLS_PER_HOUR</Setting> sets the limit; 0 switches polling off.
        </p>
      </Panel>
      <div className="grid gap-4 md:grid-cols-2">
        <Panel id="operations" title="Last answers">
          <OperationsList operations={operations} />
        </Panel>
        <Panel id="next" title="Next checks">
          <NextChecks nextChecks={nextChecks} linkTo={linkTo} />
        </Panel>
      </div>
      <Panel id="retention" title="History">
        <Facts>
          <Fact name="Of exports">kept for {formatPlural(retentionDays.staticExports, 'day')}</Fact>
          <Fact name="Of agent jobs">kept for {formatPlural(retentionDays.agentJobs, 'day')}</Fact>
        </Facts>
        <p className="mt-3 text-xs text-muted">
          <Setting>HISTORY_RETENTION_DAYS</Setting> sets how long. Exports and jobs themselves stay on their lists.
        </p>
      </Panel>
    </>
  )
}
