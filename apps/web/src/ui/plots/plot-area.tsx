import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react'
import { findNearest } from './ticks.ts'

const height = 148
/** Space for the labels of the axes. Pixels. */
const margin = { top: 10, right: 18, bottom: 24, left: 52 }

const useElementWidth = () => {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    if (box.current) observer.observe(box.current)
    return () => observer.disconnect()
  }, [])
  return [box, width] as const
}

/** Borders of the drawing within a plot. Pixels. */
export type Bounds = { left: number; right: number; top: number; bottom: number }

/** Width of a label with the space beside it. Pixels. */
const labelWidth = 68

/** As many of the times as their labels fit, evenly spaced; always includes the last one. */
export const thinOutTimes = <Time,>(
  times: readonly Time[],
  { left, right }: Pick<Bounds, 'left' | 'right'>,
): Time[] => {
  const every = Math.ceil((times.length * labelWidth) / Math.max(1, right - left))
  return times.filter((_, index) => (times.length - 1 - index) % every === 0)
}

type Axes = {
  positions: readonly number[]
  lines: readonly { y: number; label: string }[]
  times: readonly { x: number; label: string }[]
  drawing: ReactNode
}

type PlotAreaProps = {
  label: string
  current: number | null
  onCurrent: (index: number | null) => void
  readings: readonly string[]
  onOpen?: (index: number) => void
  draw: (bounds: Bounds) => Axes
  overlay?: (bounds: Bounds, current: number) => ReactNode
}

/**
 * A drawing with axes whose values the pointer and the arrow keys can read. A native slider carries the focus, so screen readers speak
 * each value.
 */
export const PlotArea = ({ label, current, onCurrent, readings, onOpen, draw, overlay }: PlotAreaProps) => {
  const [box, width] = useElementWidth()
  const bounds = { left: margin.left, right: width - margin.right, top: margin.top, bottom: height - margin.bottom }
  const axes = width === 0 ? null : draw(bounds)
  const last = readings.length - 1
  const follow = ({ clientX, currentTarget }: PointerEvent<HTMLDivElement>) => {
    const found = findNearest(axes?.positions ?? [], clientX - currentTarget.getBoundingClientRect().left)
    onCurrent(found < 0 ? null : found)
  }
  const open = (event: KeyboardEvent) => {
    if (event.key === 'Enter') onOpen?.(current ?? last)
  }
  return (
    <div
      ref={box}
      className="relative rounded-sm has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-accent"
      style={{ height }}
      onPointerMove={follow}
      onPointerDown={follow}
      // A lifted finger also leaves, but the chosen point must stay.
      onPointerLeave={({ pointerType }) => pointerType === 'mouse' && onCurrent(null)}
    >
      <input
        type="range"
        aria-label={label}
        aria-valuetext={readings[current ?? last] ?? ''}
        min={0}
        max={last}
        value={current ?? last}
        onChange={(event) => onCurrent(Number(event.currentTarget.value))}
        onFocus={() => onCurrent(current ?? last)}
        onKeyDown={open}
        className="pointer-events-none absolute inset-0 size-full opacity-0"
      />
      {axes && (
        <svg width={width} height={height} aria-hidden="true" className="block">
          {axes.lines.map(({ y, label: text }) => (
            <g key={y}>
              <line x1={bounds.left} x2={bounds.right} y1={y} y2={y} className="stroke-line" />
              <text x={bounds.left - 6} y={y} dy="0.32em" textAnchor="end" className="fill-muted text-xs">
                {text}
              </text>
            </g>
          ))}
          {axes.times.map(({ x, label: text }) => (
            <text key={x} x={x} y={height - 4} textAnchor="middle" className="fill-muted text-xs">
              {text}
            </text>
          ))}
          {current !== null && axes.positions[current] !== undefined && (
            <line
              x1={axes.positions[current]}
              x2={axes.positions[current]}
              y1={bounds.top}
              y2={bounds.bottom}
              className="stroke-line-strong forced-colors:stroke-[Highlight]"
              strokeDasharray="2 3"
            />
          )}
          {axes.drawing}
        </svg>
      )}
      {axes && current !== null && overlay?.(bounds, current)}
    </div>
  )
}
