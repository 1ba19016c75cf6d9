import type { FinishedExport } from '@docket/api-types/static-export-statistics'
import { expect, test } from 'vitest'
import { formatDuration } from '#lib/text/format.ts'
import { formatSuccess } from './domain-numbers.tsx'
import { describeSample, fillDays, toPlotBars, toPlotPoints } from './plot-values.ts'

const row = (change: Partial<FinishedExport> = {}): FinishedExport => ({
  exportId: crypto.randomUUID(),
  outcome: 'completed',
  startedAt: '2026-05-20T10:00:00.000Z',
  durationMs: 64_000,
  pageCount: 12,
  sizeBytes: null,
  partial: false,
  ...change,
})

const figures = { durationMs: { sample: 2, median: 5000 }, pages: { sample: 0, median: null } }
const day = { day: '2026-05-19T00:00:00.000Z', completed: 2, failed: 1, lost: 0, ...figures }

test('without the plotted figure, a failed export is still a point, and a completed one is not', () => {
  const rows = [row(), row({ outcome: 'failed', durationMs: null }), row({ durationMs: null })]
  const points = toPlotPoints(rows, 'durationMs', formatDuration)
  expect(points.map(({ value, outcome }) => [value, outcome])).toEqual([
    [64_000, 'completed'],
    [null, 'failed'],
  ])
  expect(points[0]!.reading).toMatch(/20.*(UTC|GMT|[A-Z]{3,4}).*: 1 min 4 s, completed$/)
  expect(points[1]!.reading).toMatch(/: failed$/)
})

test('a plot names the size of its sample', () => {
  expect(describeSample([row(), row()], 'pageCount')).toBe('Latest 2 exports')
  expect(describeSample([row({ sizeBytes: 1 }), row()], 'sizeBytes')).toBe('1 of the latest 2 exports')
})

test('the plot shows every UTC day, including days without exports', () => {
  const days = fillDays({ from: '2026-05-18T00:00:00.000Z', days: [day] }, Date.parse('2026-05-20T23:59:00Z'))
  expect(days.map(({ completed }) => completed)).toEqual([0, 2, 0])
  expect(toPlotBars(days)[1]!.reading).toMatch(/19.* \(UTC\): 2 exports completed, 1 failed$/)
})

test('the success rate never hides a failure', () => {
  expect(formatSuccess({ ...day, completed: 999, failed: 1 })).toBe('99 %')
  expect(formatSuccess({ ...day, completed: 3, failed: 0 })).toBe('100 %')
  expect(formatSuccess({ ...day, completed: 0, failed: 0 })).toBeNull()
})
