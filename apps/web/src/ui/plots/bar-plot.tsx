import { scaleBand, scaleLinear } from 'd3-scale'
import { formatCount } from '#lib/text/format.ts'
import { barFill, OutcomeMark, type Outcome } from './marks.tsx'
import { thinOutTimes } from './plot-area.tsx'
import { PlotFrame, type PlotTable } from './plot-frame.tsx'
import { formatUtcDay, chooseNumberTicks } from './ticks.ts'

/** Counts of one day, which begins at `atMs` (milliseconds since the epoch). */
export type PlotBar = { atMs: number; counts: Record<Outcome, number>; reading: string }

const order = ['completed', 'failed', 'lost'] as const

/** Parts of a bar from the bottom up: what lies below each, and its own count. */
const stackCounts = (counts: PlotBar['counts']) =>
  order.map((outcome, index) => ({
    outcome,
    below: order.slice(0, index).reduce((sum, earlier) => sum + counts[earlier], 0),
    count: counts[outcome],
  }))

const sumCounts = ({ completed, failed, lost }: PlotBar['counts']) => completed + failed + lost

type BarPlotProps = { title: string; sample: string; bars: readonly PlotBar[]; table: PlotTable }

export const BarPlot = ({ title, sample, bars, table }: BarPlotProps) => {
  const lines = chooseNumberTicks(Math.max(...bars.map(({ counts }) => sumCounts(counts))))
  return (
    <PlotFrame
      title={title}
      sample={sample}
      outcomes={new Set(order.filter((outcome) => bars.some(({ counts }) => counts[outcome] > 0)))}
      table={table}
      readings={bars.map(({ reading }) => reading)}
      draw={({ left, right, top, bottom }) => {
        const x = scaleBand(
          bars.map(({ atMs }) => atMs),
          [left, right],
        ).padding(0.2)
        // Room for the crosses.
        const y = scaleLinear([0, lines.at(-1) ?? 1], [bottom, top + 4])
        const middle = (atMs: number) => (x(atMs) ?? 0) + x.bandwidth() / 2
        return {
          positions: bars.map(({ atMs }) => middle(atMs)),
          lines: lines.map((value) => ({ y: y(value), label: formatCount(value) })),
          times: thinOutTimes(bars, { left, right }).map(({ atMs }) => ({
            x: middle(atMs),
            label: formatUtcDay(atMs),
          })),
          drawing: bars.map(({ atMs, counts }) => (
            <g key={atMs}>
              {stackCounts(counts).map(({ outcome, below, count }) => (
                <rect
                  key={outcome}
                  x={x(atMs)}
                  width={x.bandwidth()}
                  y={y(below + count)}
                  height={y(below) - y(below + count)}
                  className={barFill[outcome]}
                />
              ))}
              {counts.failed > 0 && (
                <OutcomeMark
                  outcome="failed"
                  transform={`translate(${middle(atMs)},${y(sumCounts(counts)) - 7}) scale(.8)`}
                />
              )}
            </g>
          )),
        }
      }}
    />
  )
}
