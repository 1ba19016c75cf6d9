import type { ProgressScale } from '@docket/api-types/connections'
import { expect, test } from 'vitest'
import type { StaticExportSnapshot } from '#service/admin-api/admin-api.ts'
import { observeProgress, type Progress } from './static-exports.state.ts'

type Sent = StaticExportSnapshot['progress']

const nothing: Progress = { progress: null, progressIsPercent: false, pageCount: null, pagesPerSecond: null }
const answer = (progress: Sent, pageCount: number | null = null): StaticExportSnapshot => ({
  status: 'running',
  progress,
  pageCount,
  error: null,
  exporter: null,
  createdAt: null,
  updatedAt: null,
})
const bare = (value: number): Sent => ({ value, scale: value > 1 ? 'percent' : 'ambiguous' })

/** The bar after each of these answers, two seconds apart, while the scale of the service is `scale`. */
const barAt = (scale: ProgressScale | null, ...progress: Sent[]) => {
  let state = nothing
  return progress.map((progress) => (state = observeProgress(state, answer(progress), 2000, scale)).progress)
}
const bar = (...progress: Sent[]) => barAt(null, ...progress)

test('numbers up to 1 show no progress until a larger one proves percent', () => {
  expect(bar(bare(0), bare(0.6), bare(1), bare(1.4), bare(50), bare(0.5))).toEqual([null, null, null, 1.4, 50, 50])
})

test('the progress of a service that proved percent is shown as percent from the first number', () => {
  expect(barAt('percent', bare(0), bare(0.6), bare(1), bare(12))).toEqual([0, 0.6, 1, 12])
})

test('the progress of a service that proved fractions is shown as fractions, until an export sends more than 1', () => {
  expect(barAt('fraction', bare(0), bare(0.25), bare(1))).toEqual([0, 25, 100])
  expect(barAt('fraction', bare(0.6), bare(1.4), bare(0.9), bare(4))).toEqual([60, 1.4, 1.4, 4])
})

test('a progress object that proves a fraction is always read as a fraction', () => {
  expect(bar({ value: 0.5, scale: 'fraction' }, { value: 1, scale: 'fraction' })).toEqual([50, 100])
})

test('the progress bar never goes back, whatever the service sends', () => {
  expect(bar(bare(40), bare(10), null, bare(-5), bare(NaN), bare(41))).toEqual([40, 40, 40, 40, 40, 41])
  expect(bar(bare(900), { value: -1, scale: 'fraction' })).toEqual([100, 100])
})

test('without a usable value the progress bar is indeterminate', () => {
  expect(bar(null, null, bare(Infinity))).toEqual([null, null, null])
})

test('the speed is calculated from the pages between two answers', () => {
  const first = observeProgress(nothing, answer(null, 10), null, null)
  expect(first).toMatchObject({ pageCount: 10, pagesPerSecond: null })
  const second = observeProgress(first, answer(null, 30), 2000, null)
  expect(second.pagesPerSecond).toBe(10)
  const third = observeProgress(second, answer(null, 30), 2000, null)
  expect(third.pagesPerSecond).toBe(5)
  expect(observeProgress(third, answer(null, null), 2000, null)).toMatchObject({ pageCount: 30, pagesPerSecond: 5 })
})

test('when the service restarts an export, the page count is reset and the speed is unknown', () => {
  const before = { ...nothing, progress: 60, progressIsPercent: true, pageCount: 60, pagesPerSecond: 4 }
  expect(observeProgress(before, answer(bare(2), 2), 1000, null)).toEqual({
    progress: 60,
    progressIsPercent: true,
    pageCount: 2,
    pagesPerSecond: null,
  })
})
