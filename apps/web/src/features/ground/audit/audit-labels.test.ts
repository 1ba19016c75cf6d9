import type { ListedAuditEvent } from '@docket/api-types/audit'
import { expect, test } from 'vitest'
import { describeAction, formatDetails, readResult } from './audit-labels.ts'

const event: ListedAuditEvent = {
  auditId: 1,
  at: '2026-03-01T10:00:00.000Z',
  actor: { kind: 'nobody', id: null, name: 'Nobody signed in' },
  address: null,
  action: 'session.signed_in',
  target: { type: 'user', id: '1', name: 'Ada' },
  outcome: 'ok',
  requestId: null,
  details: {},
  hash: null,
}

test('a refused sign-in is not described as successful', () => {
  expect(describeAction(event, false)).toBe('Signed in')
  expect(describeAction({ ...event, outcome: 'refused' }, true)).toBe('Tried to sign in as')
  expect(describeAction({ ...event, outcome: 'failed' }, false)).toBe('Tried to sign in')
})

test('a command is described by its request, and its outcome by the service’s response', () => {
  const start: ListedAuditEvent = { ...event, action: 'static_export.started' }
  expect(describeAction(start, true)).toBe('Asked to start an export of')
  const results = (['done', 'refused', 'unavailable', 'unknown', 'pending', null] as const).map((answer) =>
    readResult({ ...start, answer }),
  )
  expect(results).toEqual(['ok', 'refused_by_service', 'unavailable', 'unknown', 'pending', null])
  expect(readResult({ ...start, outcome: 'refused' })).toBe('refused')
  expect(readResult(event)).toBe('ok')
})

test('the details of a changed channel list the settings that were switched off and describe its checks before publishing', () => {
  const publishChecks = {
    finishedCheck: true,
    noNewBreaks: false,
    noNewLeaks: false,
    maxFewerPages: 10,
    maxBytes: 5_000_000,
    sameSearch: false,
    approvals: 2,
  }
  const details = {
    isProtected: false,
    hostname: null,
    access: 'public',
    headers: '',
    publishChecks: JSON.stringify(publishChecks),
  }
  expect(formatDetails({ action: 'channel.changed', details })).toBe(
    'protected: off · hostname: none · access: public · headers: none · checks before publishing: check finished, at most 10 % fewer pages, at most 5 MB, 2 approvals',
  )
  expect(formatDetails({ action: 'channel.changed', details: { publishChecks: 'torn {' } })).toBe(
    'checks before publishing: torn {',
  )
})

test('an action that an earlier build sealed is shown by its own name', () => {
  expect(describeAction({ ...event, action: 'release.promoted' }, false)).toBe('release.promoted')
})
