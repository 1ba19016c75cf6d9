import fc from 'fast-check'
import { expect, test } from 'vitest'
import { testConnectionId } from '#testing/connection.ts'
import type { StaticExportSnapshot } from '#service/admin-api/admin-api.ts'
import { AdminApiError } from '#ground/errors/app-error.ts'
import type { NewEvent } from '#service/history/history.ts'
import { listExportEvents, measureExportDuration } from './static-exports.history.ts'
import {
  afterAnswer,
  afterFailure,
  afterLostAnswer,
  afterRefusal,
  type StaticExportRow,
} from './static-exports.state.ts'

const t = Date.parse('2026-05-01T10:00:00.000Z')
const clockAt = (now: number) => ({
  now,
  schedule: {
    nextRead: () => new Date(now + 5_000),
    nextSettledRead: () => new Date(now + 60_000),
    nextRetry: () => new Date(now + 10_000),
  },
})
const row = (more: Partial<StaticExportRow> = {}): StaticExportRow => ({
  exportId: '7d7f2f4e-55c5-4f4b-9f2f-0b9bb1a5c111',
  connectionId: testConnectionId,
  requestId: null,
  domain: 'docs.example.com',
  version: null,
  paths: null,
  state: 'accepted',
  jobId: 'job-1',
  status: 'running',
  progress: 10,
  progressIsPercent: true,
  progressEvidence: null,
  progressSent: null,
  progressSteps: 0,
  pageCount: null,
  pagesPerSecond: null,
  exporter: null,
  reason: null,
  imported: false,
  startedAt: new Date(t - 60_000),
  finishedAt: null,
  tookMs: null,
  goneAt: null,
  replacedBy: null,
  settledTrouble: null,
  note: null,
  noteBy: null,
  noteAt: null,
  bundleSizeBytes: null,
  bundleSha256: null,
  bundlePreparedAt: null,
  nextCheckAt: new Date(t),
  leaseOwner: null,
  leaseUntil: null,
  failures: 0,
  changingSince: null,
  unfinishedAt: new Date(t - 5_000),
  viewedUntil: null,
  checkedAt: new Date(t - 5_000),
  checkFailure: null,
  foundAt: new Date(t - 60_000),
  missingSince: null,
  missingReads: 0,
  revision: 0,
  removedAt: null,
  group: 'active',
  troubledAt: null,
  ...more,
})
const starting = row({
  state: 'starting',
  jobId: null,
  status: null,
  progress: null,
  checkedAt: null,
  unfinishedAt: null,
})
const gone = row({
  goneAt: new Date(t - 5_000),
  checkFailure: { code: 'upstream_not_found', message: 'x', at: new Date(t - 5_000).toISOString() },
})
const snapshot = (more: Partial<StaticExportSnapshot> = {}): StaticExportSnapshot => ({
  status: 'running',
  progress: null,
  pageCount: null,
  error: null,
  exporter: null,
  createdAt: null,
  updatedAt: null,
  ...more,
})
const percent = (value: number) => ({ value, scale: 'percent' as const })
const error = (code: 'upstream_not_found' | 'upstream_unavailable') =>
  new AdminApiError(code, code, { effect: 'none', gone: true })
const moment = { now: t, runningSince: 0 }

const transition = (before: StaticExportRow, after: StaticExportRow) =>
  listExportEvents(before, after, moment).map(({ kind, from, to, ending }) => [
    kind,
    from ?? null,
    to ?? null,
    ending ?? null,
  ])
const answered = (before: StaticExportRow, more: Partial<StaticExportSnapshot>) =>
  transition(before, afterAnswer(before, snapshot(more), clockAt(t)))

test.each<[string, unknown[][], unknown[][]]>([
  ['nothing for the same again', answered(row(), {}), []],
  [
    'the new word of the service',
    answered(row(), { status: 'zipping' }),
    [['status_changed', 'running', 'zipping', null]],
  ],
  ['nothing for the first exporter', answered(row(), { exporter: 'a1' }), []],
  [
    'another exporter, which began it anew',
    answered(row({ exporter: 'a1' }), { exporter: 'b2' }),
    [['changed', 'a1', 'b2', null]],
  ],
  ['no exporter twice', answered(row({ exporter: 'b2' }), { exporter: 'b2' }), []],
  ['no word for none', answered(row(), { status: null }), []],
  ['a milestone that was passed', answered(row(), { progress: percent(25) }), [['progressed', null, '25', null]]],
  ['the last of several', answered(row(), { progress: percent(80) }), [['progressed', null, '75', null]]],
  ['no milestone twice', answered(row({ progress: 50 }), { progress: percent(60) }), []],
  [
    'a completion, and neither its word nor its progress',
    answered(row(), { status: 'Completed ', progress: percent(100) }),
    [['completed', null, null, 'completed']],
  ],
  [
    'a failure with the reason',
    answered(row(), { status: 'failed', error: 'no page' }),
    [['failed', null, 'no page', 'failed']],
  ],
  [
    'nothing new of a finished one',
    answered(row({ state: 'completed', status: 'completed' }), { status: 'running' }),
    [],
  ],
  ['that the service knows it again', answered(gone, {}), [['back', null, null, null]]],
  [
    'that the service no longer knows it',
    transition(row(), afterFailure(row(), error('upstream_not_found'), clockAt(t))),
    [['gone', null, null, 'gone']],
  ],
  ['it once', transition(gone, afterFailure(gone, error('upstream_not_found'), clockAt(t))), []],
  [
    'it quietly of a finished one',
    transition(
      row({ state: 'completed' }),
      afterFailure(row({ state: 'completed' }), error('upstream_not_found'), clockAt(t)),
    ),
    [['gone', null, null, null]],
  ],
  ['nothing of a failed read', transition(row(), afterFailure(row(), error('upstream_unavailable'), clockAt(t))), []],
  [
    'that the service accepted it, with its word',
    transition(starting, { ...afterAnswer(starting, snapshot({ status: 'queued' }), clockAt(t)), jobId: 'job-1' }),
    [
      ['accepted', null, 'job-1', null],
      ['status_changed', null, 'queued', null],
    ],
  ],
  [
    'a refusal with the reason',
    transition(
      starting,
      afterRefusal(starting, new AdminApiError('upstream_forbidden', 'm', { effect: 'none', sentence: 'No plan.' }), t),
    ),
    [['refused', null, 'No plan.', 'refused']],
  ],
  [
    'an unknown outcome with the answer that came',
    transition(starting, afterLostAnswer(starting, error('upstream_unavailable'), t)),
    [['answer_lost', null, 'upstream_unavailable', 'answer_lost']],
  ],
])('the history records %s', (_, events, expected) => {
  expect(events).toEqual(expected)
})

test('a gap is recorded before the changes found after it, for exports that are open or have changed', () => {
  const late = row({ checkedAt: new Date(t - 600_000), nextCheckAt: new Date(t - 590_000) })
  expect(answered(late, { status: 'completed' }).map(([kind]) => kind)).toEqual(['not_observed', 'completed'])
  expect(answered(late, {}).map(([kind]) => kind)).toEqual(['not_observed'])
  expect(answered({ ...late, state: 'completed' }, {})).toEqual([])
})

test.each<[string, Partial<StaticExportRow>, number | null]>([
  ['a whole export that was started here', {}, 60_000],
  ['only some pages', { paths: ['/a'] }, null],
  ['one that was started elsewhere', { imported: true }, null],
  ['one that was not seen running since it was put back on the list', { unfinishedAt: null }, null],
  ['one whose end came in a gap', { checkedAt: new Date(t - 300_000), failures: 3 }, null],
  ['one that began in the future', { startedAt: new Date(t + 1_000) }, null],
])('the duration is recorded only if Docket observed the whole export: %s: %j', (_, more, tookMs) => {
  const before = row(more)
  expect(
    measureExportDuration(before, afterAnswer(before, snapshot({ status: 'completed' }), clockAt(t)), moment).tookMs,
  ).toBe(tookMs)
  expect(
    measureExportDuration(before, afterAnswer(before, snapshot({ status: 'failed' }), clockAt(t)), moment).tookMs,
  ).toBeNull()
})

/** State of an export that follows from its events alone. */
const replayed = (events: readonly NewEvent[]) =>
  events.reduce(
    (state, { kind, to }) => {
      if (kind === 'accepted') return { ...state, state: 'accepted' }
      if (kind === 'answer_lost') return { ...state, state: 'unknown' }
      if (kind === 'completed' || kind === 'failed' || kind === 'refused') return { ...state, state: kind as string }
      if (kind === 'gone' || kind === 'back') return { ...state, gone: kind === 'gone' }
      return kind === 'status_changed' ? { ...state, status: to ?? null } : state
    },
    { state: 'starting', gone: false, status: null as string | null },
  )

const step = fc.oneof(
  fc.record({
    status: fc.constantFrom(null, 'queued', 'running', 'completed', 'failed'),
    progress: fc.option(fc.integer({ min: 0, max: 100 })),
  }),
  fc.constantFrom('upstream_not_found', 'upstream_unavailable'),
)

test('replaying the events of any sequence of answers yields the state, the last status and the absence of the export', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('accepted', 'lost', 'late', 'refused'),
      fc.array(fc.tuple(step, fc.integer({ min: -10_000, max: 900_000 })), { maxLength: 30 }),
      (start, steps) => {
        let now = t
        let current: StaticExportRow = starting
        const events: NewEvent[] = []
        const become = (after: StaticExportRow) => {
          events.push(...listExportEvents(current, after, { now, runningSince: t }))
          current = after
        }
        if (start === 'refused') become(afterRefusal(current, error('upstream_unavailable'), now))
        if (start === 'lost' || start === 'late') become(afterLostAnswer(current, null, now))
        if (start === 'accepted' || start === 'late')
          become({ ...afterAnswer(current, snapshot({ status: null }), clockAt(now)), jobId: 'job-1' })
        for (const [what, later] of current.jobId === null ? [] : steps) {
          now += later
          become(
            typeof what === 'string'
              ? afterFailure(current, error(what), clockAt(now))
              : afterAnswer(
                  current,
                  snapshot({ status: what.status, progress: what.progress === null ? null : percent(what.progress) }),
                  clockAt(now),
                ),
          )
        }
        const state = replayed(events)
        expect({ state: state.state, gone: state.gone }).toEqual({
          state: current.state,
          gone: current.goneAt !== null,
        })
        if (current.state === 'accepted') expect(state.status).toBe(current.status)
        // Nothing ends twice, but a failed export may turn out to be completed.
        const ends = events.map(({ kind }) => kind).filter((kind) => ['completed', 'failed', 'refused'].includes(kind))
        expect(['', 'completed', 'failed', 'refused', 'failed completed']).toContain(ends.join(' '))
        for (const { kind, at, until } of events)
          if (kind === 'not_observed') expect(Number(until)).toBeGreaterThan(Number(at))
      },
    ),
    { numRuns: 300 },
  )
})
