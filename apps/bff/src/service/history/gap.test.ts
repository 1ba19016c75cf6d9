import { expect, test } from 'vitest'
import { findGapBefore, findGapWhileRemoved, lastAnswerMs, type Moment, type Watched } from './gap.ts'

const t = Date.parse('2026-05-01T10:00:00.000Z')
const at = (seconds: number) => new Date(t + seconds * 1000)
const watched = (more: Partial<Watched> = {}): Watched => ({
  checkedAt: at(0),
  nextCheckAt: at(10),
  failures: 0,
  checkFailure: null,
  ...more,
})
const failing = (code: 'upstream_unavailable' | 'upstream_rate_limited' | 'upstream_not_found', seconds = 10) => ({
  failures: code === 'upstream_not_found' ? 0 : 1,
  checkFailure: { code, message: 'x', at: at(seconds).toISOString() },
})
const gap = (before: Watched, seconds: number, runningSince = 0, pause: Moment['pause'] = null) =>
  findGapBefore(before, { now: t + seconds * 1000, runningSince, pause })

test.each<[string, Watched, number]>([
  ['before the first answer', watched({ checkedAt: null }), 1000],
  ['when it was read as planned', watched({ nextCheckAt: at(600) }), 605],
  ['when it was read a little later than planned', watched(), 35],
  ['when it was read twice as late as planned, but no more', watched({ nextCheckAt: at(600) }), 1150],
  ['after failures within half a minute', watched(failing('upstream_unavailable')), 29],
  ['for a record that nobody planned to read', watched({ nextCheckAt: null }), 1_000_000],
  ['when the clock jumped back', watched(failing('upstream_unavailable')), -5000],
])('no gap is reported %s', (_, before, seconds) => {
  expect(gap(before, seconds)).toBeNull()
})

test.each<[string, Watched, number, string]>([
  [
    'not be reached',
    watched(failing('upstream_unavailable')),
    0,
    'Docket couldn’t reach the service, or it didn’t work.',
  ],
  ['asks to wait', watched(failing('upstream_rate_limited')), 0, 'The service asked Docket to wait.'],
  ['Docket did not run when it was due', watched(), t + 60_000, 'Docket was not running.'],
  [
    'Docket ran and did not read',
    watched(),
    t - 60_000,
    'Docket held reads back to stay within the call budget or the service’s limits.',
  ],
])('a gap is reported with its cause: %s', (_, before, runningSince, to) => {
  expect(gap(before, 120, runningSince)).toEqual({ kind: 'not_observed', at: at(0), until: at(120), to })
})

test('if no read of the record failed, its gap shows the pause that covered most of the time', () => {
  const pause = (from: number, to: number) => ({
    code: 'upstream_key_rejected' as const,
    fromMs: t + from * 1000,
    toMs: t + to * 1000,
  })
  expect(gap(watched(), 120, 0, pause(5, 119))?.to).toBe('The service rejected the key.')
  expect(gap(watched(), 120, 0, pause(20, 110))?.to).toBe('The service rejected the key.')
  expect(gap(watched(), 120, 0, pause(20, 40))?.to).toMatch(/^Docket held reads back/)
  expect(gap(watched(), 120, 0, pause(-500, 0))?.to).toMatch(/^Docket held reads back/)
  expect(gap(watched(), 120, t + 60_000, pause(5, 119))?.to).toBe('Docket was not running.')
})

test('“not found” counts as a response, so a gap begins only after it', () => {
  expect(lastAnswerMs(watched(failing('upstream_not_found', 50)))).toBe(at(50).getTime())
  expect(gap(watched({ ...failing('upstream_not_found', 50), nextCheckAt: at(60) }), 300)?.at).toEqual(at(50))
})

test('the time between removal and restore is a gap, unless it was short', () => {
  expect(findGapWhileRemoved(at(0), at(20))).toBeNull()
  expect(findGapWhileRemoved(at(0), at(60))).toMatchObject({ kind: 'not_observed', at: at(0), until: at(60) })
})
