import type { World } from './world.ts'

/** One line of the table. */
export type Line = {
  what: string
  docket: string
  /** Reference of the comparison, with its figure. */
  reference: string
  /** Value that the bar limits, mostly a ratio. Null when it was not measured. */
  figure: number | null
  /** Text of the bar; empty where there is none. */
  bar: string
  /** Null where there is no bar, or nothing was measured. */
  met: boolean | null
}

/** Something the bench measures. */
export type Row = {
  /** For `--only`. */
  name: string
  title: string
  /** Method of measurement, for the reader of the table. */
  method: string
  run: (world: World) => Promise<Line[]>
}

/** A bar that a figure must not exceed, or with `atLeast` must reach. */
export const line = (
  what: string,
  docket: string,
  reference: string,
  figure: number | null,
  bar: { atMost?: number; atLeast?: number } = {},
): Line => {
  const { atMost, atLeast } = bar
  const met =
    figure === null || (atMost === undefined && atLeast === undefined)
      ? null
      : figure <= (atMost ?? Infinity) && figure >= (atLeast ?? -Infinity)
  const text = atMost !== undefined ? `≤ ${atMost}` : atLeast !== undefined ? `≥ ${atLeast}` : ''
  return { what, docket, reference, figure, bar: text, met }
}

/** A number with as many digits as mean something. */
export const digits = (value: number): string => {
  if (!Number.isFinite(value)) return '–'
  const size = Math.abs(value)
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3)
}
