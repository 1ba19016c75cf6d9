import type { CallBudget as Budget } from '@docket/api-types/connection'
import { formatCount, formatPlural, formatUntil } from '#lib/text/format.ts'
import { TickingText } from '#ui/live/ticking.tsx'

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

export const CallBudget = ({ budget }: { budget: Budget }) => {
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
