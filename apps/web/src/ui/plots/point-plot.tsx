import { scaleLinear } from 'd3-scale'
import { line } from 'd3-shape'
import type { ReactNode } from 'react'
import { OutcomeMark, type Outcome } from './marks.tsx'
import { thinOutTimes, type Bounds } from './plot-area.tsx'
import { PlotFrame, type PlotTable } from './plot-frame.tsx'
import { labelTimes, createTimeScale, type Ticks } from './ticks.ts'

export type PlotPoint = { key: string; atMs: number; value: number | null; outcome: Outcome; reading: string }

type PointPlotProps = {
  title: string
  sample: string
  points: readonly PlotPoint[]
  ticks: Ticks
  format: (value: number) => string
  table: PlotTable
  onOpen?: (point: PlotPoint) => void
  link?: (point: PlotPoint, className: string) => ReactNode
}

export const PointPlot = ({ title, sample, points, ticks, format, table, onOpen, link }: PointPlotProps) => {
  const lines = ticks(Math.max(0, ...points.map(({ value }) => value ?? 0)))
  const scales = ({ left, right, top, bottom }: Bounds) => {
    const x = createTimeScale(
      points.map(({ atMs }) => atMs),
      [left, right],
    )
    const y = scaleLinear([0, lines.at(-1) ?? 1], [bottom, top])
    return { x, y, place: ({ atMs, value }: PlotPoint) => ({ x: x(atMs), y: y(value ?? 0) }) }
  }
  const joined = points.filter(({ outcome, value }) => outcome === 'completed' && value !== null)
  return (
    <PlotFrame
      title={title}
      sample={sample}
      outcomes={new Set(points.map(({ outcome }) => outcome))}
      table={table}
      readings={points.map(({ reading }) => reading)}
      onOpen={(index) => points[index] && onOpen?.(points[index])}
      draw={(bounds) => {
        const { x, y, place } = scales(bounds)
        const times = thinOutTimes(x.ticks(Math.max(5, Math.floor((bounds.right - bounds.left) / 80))), bounds)
        const labels = labelTimes(times)
        const path = line<PlotPoint>(
          (point) => place(point).x,
          (point) => place(point).y,
        )(joined)
        return {
          positions: points.map(({ atMs }) => x(atMs)),
          lines: lines.map((value) => ({ y: y(value), label: format(value) })),
          times: times.map((at, index) => ({ x: x(at), label: labels[index] ?? '' })),
          drawing: (
            <>
              <path d={path ?? ''} className="fill-none stroke-done/40 forced-colors:stroke-[GrayText]" />
              {points.map((point) => {
                const { x: left, y: top } = place(point)
                return <OutcomeMark key={point.key} outcome={point.outcome} transform={`translate(${left},${top})`} />
              })}
            </>
          ),
        }
      }}
      overlay={(bounds, index) => {
        const shown = points[index]
        if (!shown || !link) return null
        const { x: left, y: top } = scales(bounds).place(shown)
        return (
          <span className="absolute" style={{ left: left - 12, top: top - 12 }}>
            {link(shown, 'block size-6 rounded-full border border-accent')}
          </span>
        )
      }}
    />
  )
}
