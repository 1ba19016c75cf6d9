import fc from 'fast-check'
import { expect, test } from 'vitest'
import { testConnectionId } from '#testing/connection.ts'
import type { AgentJobSnapshot } from '#service/admin-api/admin-api.ts'
import { AdminApiError } from '#ground/errors/app-error.ts'
import { nothingKnown } from '#service/admin-api/wire/wire.ts'
import { listJobEvents, measureJobDuration } from './agent-jobs.history.ts'
import { createUnreadJobRow } from './agent-jobs.rows.ts'
import { afterAnswer, afterFailure, type AgentJobRow } from './agent-jobs.state.ts'
import type { NewEvent } from '#service/history/history.ts'

const t = Date.parse('2026-05-01T10:00:00.000Z')
const clockAt = (now: number) => ({
  now,
  schedule: {
    nextRead: () => new Date(now + 5_000),
    nextSettledRead: () => new Date(now + 60_000),
    nextRetry: () => new Date(now + 10_000),
  },
})
const row = (more: Partial<AgentJobRow> = {}): AgentJobRow => ({
  ...createUnreadJobRow({ connectionId: testConnectionId, projectId: 'docs', id: 'job_1' }, new Date(t - 60_000)),
  status: 'active',
  repository: 'https://github.com/acme/docs',
  ref: 'main',
  model: 'sonnet-1',
  createdAt: new Date(t - 90_000),
  changingSince: new Date(t - 90_000),
  unfinishedAt: new Date(t - 5_000),
  nextCheckAt: new Date(t),
  checkedAt: new Date(t - 5_000),
  foundAt: new Date(t - 60_000),
  ...more,
})
const snapshot = (more: Partial<AgentJobSnapshot> = {}): AgentJobSnapshot => ({
  ...nothingKnown,
  status: 'active',
  repository: 'https://github.com/acme/docs',
  ref: 'main',
  model: 'sonnet-1',
  prLink: null,
  createdAt: new Date(t - 90_000).toISOString(),
  archivedAt: null,
  ...more,
})
const link = 'https://github.com/acme/docs/pull/12'
const missing = { code: 'upstream_not_found', message: 'x', at: new Date(t - 5_000).toISOString() } as const
const gone = row({ goneAt: new Date(t - 5_000), checkFailure: missing })
const completed = row({ status: 'completed', finishedAt: new Date(t - 5_000) })
const error = (code: 'upstream_not_found' | 'upstream_unavailable') =>
  new AdminApiError(code, code, { effect: 'none', gone: true })
const moment = { now: t, runningSince: 0 }

const transition = (before: AgentJobRow, after: AgentJobRow) =>
  listJobEvents(before, after, moment).map(({ kind, field, from, to, ending }) => [
    kind,
    ...(field === undefined ? [] : [field]),
    from ?? null,
    to ?? null,
    ...(ending === undefined ? [] : [ending]),
  ])
const answered = (before: AgentJobRow, more: Partial<AgentJobSnapshot>) =>
  transition(before, afterAnswer(before, snapshot(more), clockAt(t)))

test.each<[string, unknown[][], unknown[][]]>([
  ['nothing for the same again', answered(row(), {}), []],
  [
    'a word that the contract does not list',
    answered(row(), { status: 'paused' }),
    [['status_changed', 'active', 'paused']],
  ],
  ['a completion, which is no ending yet', answered(row(), { status: 'completed' }), [['completed', 'active', null]]],
  [
    'a completion with its pull request, which is the ending',
    answered(row(), { status: 'completed', prLink: link }),
    [
      ['completed', 'active', null],
      ['pull_request_reported', null, link, 'pull_request_ready'],
    ],
  ],
  [
    'a pull request that follows',
    answered(completed, { status: 'completed', prLink: link }),
    [['pull_request_reported', null, link, 'pull_request_ready']],
  ],
  [
    'a pull request of a job that goes on',
    answered(row(), { prLink: link }),
    [['changed', 'pull request', null, link]],
  ],
  [
    'a pull request that was replaced',
    answered({ ...completed, prLink: 'https://x.example/1' }, { status: 'completed', prLink: link }),
    [['changed', 'pull request', 'https://x.example/1', link]],
  ],
  ['nothing while a pull request may follow', answered(completed, { status: 'completed' }), []],
  [
    'that none followed within an hour',
    answered({ ...completed, finishedAt: new Date(t - 3_600_000) }, { status: 'completed' }),
    [['no_pull_request', null, null, 'no_pull_request']],
  ],
  ['that once', answered({ ...completed, finishedAt: new Date(t - 3_610_000) }, { status: 'completed' }), []],
  ['a failure', answered(row(), { status: 'failed' }), [['failed', 'active', null, 'failed']]],
  ['the archive', answered(completed, { status: 'archived' }), [['archived', 'completed', null]]],
  ['that it goes on', answered(completed, {}), [['active_again', 'completed', 'active']]],
  [
    'every other field',
    answered(row(), { model: 'opus-1', ref: null, repository: 'https://github.com/acme/site' }),
    [
      ['changed', 'repository', 'https://github.com/acme/docs', 'https://github.com/acme/site'],
      ['changed', 'branch', 'main', null],
      ['changed', 'model', 'sonnet-1', 'opus-1'],
    ],
  ],
  ['that the service knows it again', answered(gone, {}), [['back', null, null]]],
  [
    'that the service no longer knows it',
    transition(row(), afterFailure(row(), error('upstream_not_found'), clockAt(t))),
    [['gone', null, null, 'gone']],
  ],
  ['it once', transition(gone, afterFailure(gone, error('upstream_not_found'), clockAt(t))), []],
  [
    'it quietly of a finished one',
    transition(completed, afterFailure(completed, error('upstream_not_found'), clockAt(t))),
    [['gone', null, null]],
  ],
  ['nothing of a failed read', transition(row(), afterFailure(row(), error('upstream_unavailable'), clockAt(t))), []],
])('the history records %s', (_, events, expected) => {
  expect(events).toEqual(expected)
})

test('a gap is recorded before the changes found after it, for jobs that can still change or have changed', () => {
  const late = { checkedAt: new Date(t - 600_000), nextCheckAt: new Date(t - 590_000) }
  expect(answered(row(late), {}).map(([kind]) => kind)).toEqual(['not_observed'])
  const settled = { ...completed, prLink: link, ...late }
  expect(answered(settled, { status: 'completed', prLink: link })).toEqual([])
  expect(answered(settled, { prLink: link }).map(([kind]) => kind)).toEqual(['not_observed', 'active_again'])
})

test.each<[string, Partial<AgentJobRow>, number | null]>([
  ['a job that was watched from its creation on', {}, 90_000],
  ['one that was first seen when it had finished', { unfinishedAt: null }, null],
  ['one whose end came in a gap', { checkedAt: new Date(t - 300_000), failures: 3 }, null],
  ['one that went on after it was completed', { tookMs: 7 }, 7],
])('the duration is recorded only if Docket observed the whole run: %s', (_, more, tookMs) => {
  const before = row(more)
  expect(
    measureJobDuration(before, afterAnswer(before, snapshot({ status: 'completed' }), clockAt(t)), moment).tookMs,
  ).toBe(tookMs)
  expect(
    measureJobDuration(before, afterAnswer(before, snapshot({ status: 'failed' }), clockAt(t)), moment).tookMs,
  ).toBe(more.tookMs ?? null)
})

/** State of a job that follows from its events alone; the job was active when it was followed. */
const replayed = (events: readonly NewEvent[]) =>
  events.reduce(
    (state, { kind, to }) => {
      if (kind === 'completed' || kind === 'failed' || kind === 'archived') return { ...state, status: kind as string }
      if (kind === 'active_again' || kind === 'status_changed') return { ...state, status: to ?? '' }
      return kind === 'gone' || kind === 'back' ? { ...state, gone: kind === 'gone' } : state
    },
    { status: 'active', gone: false },
  )

const step = fc.oneof(
  fc.record({
    status: fc.constantFrom('active', 'completed', 'failed', 'archived', 'paused'),
    prLink: fc.option(fc.constantFrom(link, 'https://github.com/acme/docs/pull/13')),
    model: fc.constantFrom('sonnet-1', 'opus-1', null),
  }),
  fc.constantFrom('upstream_not_found' as const, 'upstream_unavailable' as const),
)

test('replaying the events of any sequence of answers yields the job’s status and absence, and no ending is repeated', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(step, fc.integer({ min: 0, max: 200_000 })), { maxLength: 40 }), (steps) => {
      let now = t
      let current = row()
      const events: NewEvent[] = []
      for (const [what, later] of steps) {
        now += later
        const after =
          typeof what === 'string'
            ? afterFailure(current, error(what), clockAt(now))
            : afterAnswer(current, snapshot(what), clockAt(now))
        events.push(...listJobEvents(current, after, { now, runningSince: t }))
        current = after
      }
      expect(replayed(events)).toEqual({ status: current.status, gone: current.goneAt !== null })
      // Between two of the same kind it must have gone on.
      const endings = events.filter(({ kind, ending }) => ending !== undefined || kind === 'completed')
      for (const [place, { kind }] of endings.entries())
        if (kind === 'no_pull_request') expect(endings[place - 1]?.kind).not.toBe(kind)
      if (current.status === 'completed' && current.prLink !== null)
        expect(
          events.findLast(({ kind }) => kind === 'pull_request_reported' || kind === 'no_pull_request')?.kind,
        ).toBe('pull_request_reported')
    }),
    { numRuns: 300 },
  )
})
