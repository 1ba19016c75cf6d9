import { useQuery } from '@tanstack/react-query'
import { formatCount, formatPlural } from '#lib/text/format.ts'
import { nowMs } from '#lib/time/clock.ts'
import { usePaused } from '#ui/live/use-paused.ts'
import { CallBudget } from './calls/call-budget.tsx'
import { fillCallsByHour } from './calls/calls-by-hour.ts'
import { CallsChart } from './calls/calls-chart.tsx'
import { HeldBackReads, OperationsList } from './connection-report.tsx'
import { reportQuery } from './connection.queries.ts'
import { Fold } from './fold.tsx'

/** The calls of a connection in one line, which opens their plots, and what holds calls back. */
export const ConnectionCalls = ({ connectionId }: { connectionId: string }) => {
  const { data } = useQuery(reportQuery(connectionId, usePaused()))
  const { polls = 0, clicks = 0 } = data?.budget.spent ?? {}
  // The banner is about a rejected key.
  const gates = data?.gates.filter(({ code }) => code !== 'upstream_key_rejected') ?? []
  return (
    <>
      {data && (gates.length > 0 || data.late.count > 0) && (
        <div className="space-y-2 pb-3">
          <HeldBackReads connectionId={connectionId} gates={gates} late={data.late} />
        </div>
      )}
      <Fold
        title={
          data
            ? `${formatPlural(polls + clicks, 'API call')} in the last hour (${formatCount(polls)} automatic)`
            : 'API calls'
        }
      >
        {data && (
          <>
            <CallBudget budget={data.budget} />
            <CallsChart hours={fillCallsByHour(data.hours, nowMs())} />
            <OperationsList operations={data.operations} />
          </>
        )}
      </Fold>
    </>
  )
}
