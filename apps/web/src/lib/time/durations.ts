import { formatCount, formatPlural, formatRough } from '#lib/text/format.ts'

/** Percentiles of earlier durations. Milliseconds. */
export type Usual = { sample: number; p25Ms: number; p50Ms: number; p75Ms: number; p95Ms: number }

const minSample = 5

const units = [
  { ms: 86_400_000, name: 'd', below: Number.POSITIVE_INFINITY },
  { ms: 3_600_000, name: 'h', below: 48 * 3_600_000 },
  { ms: 60_000, name: 'min', below: 90 * 60_000 },
  { ms: 1000, name: 's', below: 90_000 },
] as const

/** A span, in one unit if possible: `4–6 min`, `about 5 s`, `20 s to 3 min`. */
export const formatSpan = (fromMs: number, toMs: number): string => {
  const unit = units.findLast(({ below }) => toMs < below) ?? units[0]
  const [from, to] = [Math.round(fromMs / unit.ms), Math.max(1, Math.round(toMs / unit.ms))]
  if (from === to) return `about ${to} ${unit.name}`
  return from === 0 ? `${formatRough(fromMs)} to ${to} ${unit.name}` : `${from}–${to} ${unit.name}`
}

/** Middle half of earlier durations: `Usually 4–6 min (last 23 exports)`. Null below five. */
export const formatUsualDuration = (usual: Usual | null, noun: string): string | null =>
  usual === null || usual.sample < minSample
    ? null
    : `Usually ${formatSpan(usual.p25Ms, usual.p75Ms)} (last ${formatPlural(usual.sample, noun)})`

/**
 * Compares `tookMs` with earlier durations; null below five of them, or if it is not unusual. Percentiles are observed durations, so the
 * 95th of fewer than twenty is the longest.
 */
export const compareDuration = (usual: Usual | null, tookMs: number): string | null => {
  if (usual === null || usual.sample < minSample) return null
  const earlier = `the earlier ${formatCount(usual.sample)}`
  if (tookMs > usual.p95Ms)
    return usual.sample < 20 ? `longer than all of ${earlier}` : `longer than 95 % of ${earlier}`
  return tookMs > usual.p75Ms ? `longer than three quarters of ${earlier}` : null
}
