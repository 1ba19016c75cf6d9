import { expect, test } from 'vitest'
import { assessFreshness, type Checked } from './freshness.ts'
import type { Watching } from './watching.ts'

const nowMs = Date.parse('2026-03-01T12:00:00.000Z')
const at = (secondsFromNow: number) => new Date(nowMs + secondsFromNow * 1000).toISOString()
const well: Watching = { polls: true, heldBack: null, until: null, down: null }
const record: Checked = { checkedAt: at(-4), nextCheckAt: at(6), checkFailure: null }
const failed = (code: string): Checked => ({ ...record, checkFailure: { code, message: 'The reason.' } })

test('a record read on schedule is fresh and shows its next check', () => {
  expect(assessFreshness(record, true, well, nowMs)).toEqual({ state: 'fresh', next: 'next in 6 s', why: null })
})

test('a read that is just due is not late', () => {
  expect(assessFreshness({ ...record, nextCheckAt: at(-12) }, true, well, nowMs)).toMatchObject({
    state: 'fresh',
    next: 'checking now',
  })
})

test('an overdue read is late, with the delay', () => {
  expect(assessFreshness({ ...record, nextCheckAt: at(-40) }, true, well, nowMs)).toMatchObject({
    state: 'late',
    next: 'late by 40 s',
  })
})

test('paused reads are late at once, with the reason', () => {
  const delayed = { ...well, heldBack: 'The budget of this hour is spent.', until: at(600) }
  const found = assessFreshness(record, true, delayed, nowMs)
  expect(found).toMatchObject({ state: 'late', why: 'The budget of this hour is spent.' })
  expect(found.next).toMatch(/^held back until .*10/)
  expect(assessFreshness(record, true, { ...delayed, until: null }, nowMs).next).toBe('held back')
})

test('for records that can change, an unavailable service takes precedence over every other state', () => {
  const down = { ...well, heldBack: 'Slower.', down: 'It cannot be reached.' }
  expect(assessFreshness(failed('upstream_not_found'), true, down, nowMs)).toMatchObject({
    state: 'down',
    why: 'It cannot be reached.',
  })
  expect(assessFreshness({ ...record, nextCheckAt: null }, false, down, nowMs).state).toBe('settled')
})

test.each(['upstream_unavailable', 'upstream_timeout', 'upstream_key_rejected', 'upstream_unexpected'])(
  'a record whose last read ended with %s is shown as down',
  (code) => {
    expect(assessFreshness(failed(code), true, well, nowMs)).toMatchObject({
      state: 'down',
      // A refusal and an unusable response are responses, too.
      next: 'no usable response since',
      why: 'The reason.',
    })
  },
)

test('a record is stale if its last read failed for this record alone', () => {
  expect(assessFreshness(failed('upstream_not_found'), true, well, nowMs)).toEqual({
    state: 'stale',
    next: 'next in 6 s',
    why: 'The reason.',
  })
})

test('a read that the service postponed is late, not stale', () => {
  expect(assessFreshness(failed('upstream_rate_limited'), true, well, nowMs)).toEqual({
    state: 'late',
    next: 'next in 6 s',
    why: 'The reason.',
  })
})

test('data older than ten minutes is shown as old, even on schedule', () => {
  const old = { ...record, checkedAt: at(-601), nextCheckAt: at(1200) }
  expect(assessFreshness(old, true, well, nowMs)).toMatchObject({ state: 'stale', next: 'next in 20 min' })
  expect(assessFreshness({ ...old, checkedAt: at(-599) }, true, well, nowMs).state).toBe('fresh')
})

test('without polling, a record that can change counts as unwatched', () => {
  const without = { ...well, polls: false }
  expect(assessFreshness({ ...record, nextCheckAt: null }, true, without, nowMs).state).toBe('unwatched')
  expect(assessFreshness({ ...record, nextCheckAt: null }, false, without, nowMs).state).toBe('settled')
})

test('an ended record with a scheduled check is not shown as final', () => {
  expect(assessFreshness(record, false, well, nowMs)).toEqual({ state: 'fresh', next: 'next in 6 s', why: null })
})

test('settled records are never shown as stale', () => {
  expect(
    assessFreshness({ checkedAt: at(-90_000), nextCheckAt: null, checkFailure: null }, false, well, nowMs),
  ).toEqual({
    state: 'settled',
    next: null,
    why: null,
  })
})
