import { useQuery } from '@tanstack/react-query'
import { nowMs } from '#lib/time/clock.ts'
import { formatDuration, formatPlural } from '#lib/text/format.ts'
import { useChosenConnection } from '#ui/connections/use-connections.ts'
import { BarPlot } from '#ui/plots/bar-plot.tsx'
import { PointPlot } from '#ui/plots/point-plot.tsx'
import { chooseDurationTicks, formatUtcDay } from '#ui/plots/ticks.ts'
import { describeDays, fillDays, buildOutcomesTable, toPlotBars, toMedianPoints } from './plot-values.ts'
import { statisticsQuery } from './statistics.queries.ts'

export const OverviewPlots = () => {
  const { data } = useQuery(statisticsQuery('', useChosenConnection()))
  if (!data || data.days.length === 0) return null
  const medians = toMedianPoints(data.days)
  return (
    <section aria-label="Last 30 days" className="mt-7">
      <h2 className="mb-2.5 text-base font-semibold">Last 30 days</h2>
      <div className="panel grid gap-x-8 gap-y-6 p-5 md:grid-cols-2">
        <BarPlot
          title="Exports per day"
          sample={describeDays(data)}
          bars={toPlotBars(fillDays(data, nowMs()))}
          table={buildOutcomesTable(data.days)}
        />
        {medians.length > 1 && (
          <PointPlot
            title="Median duration"
            sample={`${formatPlural(data.total.durationMs.sample, 'full export')} on ${formatPlural(medians.length, 'day')}`}
            points={medians}
            ticks={chooseDurationTicks}
            format={formatDuration}
            table={{
              columns: ['Day (UTC)', 'Median', 'Exports'],
              rows: data.days.toReversed().map(({ day, durationMs: { sample, median } }) => ({
                key: day,
                cells: [formatUtcDay(Date.parse(day)), median === null ? null : formatDuration(median), sample],
              })),
            }}
          />
        )}
      </div>
    </section>
  )
}
