import { formatCount, formatPlural, formatShortClock } from '#lib/text/format.ts'
import { findScaleTop, type HourOfCalls } from './calls-by-hour.ts'

const describeHour = ({ polls, clicks, rateLimited, failed }: HourOfCalls): string =>
  [
    formatPlural(polls, 'poll'),
    formatPlural(clicks, 'click'),
    failed > 0 && `${formatCount(failed)} failed`,
    rateLimited > 0 && `${formatCount(rateLimited)} rate limited`,
  ]
    .filter(Boolean)
    .join(', ')

const HourBar = ({ entry, top }: { entry: HourOfCalls; top: number }) => (
  <div
    className="group flex h-full flex-1 flex-col justify-end"
    title={`${formatShortClock(entry.hour)}: ${describeHour(entry)}`}
  >
    {entry.rateLimited > 0 && (
      <svg viewBox="0 0 8 8" className="mx-auto mb-0.5 size-2 shrink-0 text-attention">
        <path d="M4 .5 8 7.5H0z" fill="currentColor" />
      </svg>
    )}
    <div className="bg-idle group-hover:opacity-75" style={{ height: `${(entry.clicks / top) * 100}%` }} />
    <div className="bg-accent group-hover:opacity-75" style={{ height: `${(entry.polls / top) * 100}%` }} />
    <div className="h-px bg-line-strong" />
  </div>
)

const ChartKey = ({ colour, children }: { colour: string; children: string }) => (
  <span className="inline-flex items-center gap-1.5">
    <span className={`size-2.5 rounded-[2px] ${colour}`} />
    {children}
  </span>
)

const CallsTable = ({ hours }: { hours: readonly HourOfCalls[] }) => (
  <table>
    <caption>Calls per hour, the last 24 hours. Hours without calls are left out.</caption>
    <thead>
      <tr>
        {['Hour', 'Polls', 'Clicks', 'Failed', 'Rate limited (429)'].map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {hours
        .filter(({ polls, clicks, failed }) => polls + clicks + failed > 0)
        .map(({ hour, polls, clicks, failed, rateLimited }) => (
          <tr key={hour}>
            <th scope="row">{formatShortClock(hour)}</th>
            <td>{polls}</td>
            <td>{clicks}</td>
            <td>{failed}</td>
            <td>{rateLimited}</td>
          </tr>
        ))}
    </tbody>
  </table>
)

export const CallsChart = ({ hours }: { hours: readonly HourOfCalls[] }) => {
  const top = findScaleTop(Math.max(...hours.map(({ polls, clicks }) => polls + clicks)))
  if (hours.every(({ polls, clicks, failed }) => polls + clicks + failed === 0))
    return <p className="text-sm text-muted">No calls in the last 24 hours.</p>
  const limited = hours.reduce((sum, { rateLimited }) => sum + rateLimited, 0)
  return (
    <figure className="relative">
      {/* A table ignores its own width, so the wrapper hides it. */}
      <div className="sr-only">
        <CallsTable hours={hours} />
      </div>
      <div aria-hidden="true" className="forced-color-adjust-none">
        <div className="mb-1 flex flex-wrap justify-between gap-x-4 text-xs text-muted">
          <span>{formatPlural(top, 'call')} an hour</span>
          <span className="flex flex-wrap gap-x-3">
            <ChartKey colour="bg-accent">polls</ChartKey>
            <ChartKey colour="bg-idle">clicks</ChartKey>
          </span>
        </div>
        <div className="flex h-24 items-end gap-[2px] border-t border-dashed border-line pt-px sm:gap-1">
          {hours.map((entry) => (
            <HourBar key={entry.hour} entry={entry} top={top} />
          ))}
        </div>
        <div className="mt-1 flex justify-between text-xs text-muted">
          {[0, 8, 16].map((index) => (
            <span key={index} className="flex-1">
              {hours[index] && formatShortClock(hours[index].hour)}
            </span>
          ))}
          <span>now</span>
        </div>
      </div>
      <figcaption className="mt-2 text-xs text-muted">
        {limited === 0
          ? 'Not rate limited in the last 24 hours.'
          : `${formatPlural(limited, 'call')} rate limited (429) in the last 24 hours, marked with a triangle.`}
      </figcaption>
    </figure>
  )
}
