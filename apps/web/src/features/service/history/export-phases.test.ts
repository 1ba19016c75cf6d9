import type { HistoryEvent, HistoryKind } from '@docket/api-types/history'
import { expect, test } from 'vitest'
import { toPhases } from './export-phases.ts'

const event = (kind: HistoryKind, second: number, rest: Partial<HistoryEvent> = {}): HistoryEvent => ({
  eventId: second,
  kind,
  at: new Date(second * 1000).toISOString(),
  until: null,
  field: null,
  from: null,
  to: null,
  by: null,
  ...rest,
})
const seconds = (ms: number) => ms / 1000
const read = (events: HistoryEvent[], now = 100) => {
  const found = toPhases(events, now * 1000)
  return found?.phases.map(({ name, fromMs, toMs, lasts }) => [name, seconds(fromMs), seconds(toMs), lasts])
}

const asked = [event('requested', 0), event('accepted', 2, { to: 'job-1' })]

test('the phases of an export are contiguous until its end', () => {
  const events = [
    ...asked,
    event('status_changed', 2, { to: 'queued' }),
    event('status_changed', 5, { to: 'running' }),
    event('progressed', 20, { to: '50' }),
    event('not_observed', 30, { until: new Date(40_000).toISOString() }),
    event('completed', 60),
    event('downloaded', 90),
  ]
  expect(read(events)).toEqual([
    ['Waiting for a response', 0, 2, false],
    ['Queued', 2, 5, false],
    ['Running', 5, 60, false],
  ])
  expect(toPhases(events, 0)).toMatchObject({
    toMs: 60_000,
    points: [{ percent: '50', atMs: 20_000 }],
    gaps: [{ fromMs: 30_000, toMs: 40_000 }],
  })
})

test('the last phase and an open observation gap of a running export extend to now', () => {
  const events = [...asked, event('not_observed', 50)]
  expect(read(events)).toEqual([
    ['Waiting for a response', 0, 2, false],
    ['Accepted', 2, 100, true],
  ])
  expect(toPhases(events, 100_000)?.gaps).toEqual([{ fromMs: 50_000, toMs: 100_000 }])
})

test('an export that failed and later turned out to be completed shows a failed phase in between', () => {
  expect(read([...asked, event('failed', 10), event('completed', 30)])?.at(-1)).toEqual(['Failed', 10, 30, false])
})

test('an export with an unknown start, or whose start already reported its end, has no phases', () => {
  expect(read([])).toBeUndefined()
  expect(read([event('downloaded', 90)])).toBeUndefined()
  expect(read([event('requested', 0), event('refused', 0)])).toBeUndefined()
})
