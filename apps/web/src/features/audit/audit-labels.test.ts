import type { AuditEvent } from '@docket/api-types/audit'
import { expect, test } from 'vitest'
import { describeAction } from './audit-labels.ts'

const event: AuditEvent = {
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

test('a sign-in that was refused is not told as one that happened', () => {
  expect(describeAction(event)).toBe('Signed in')
  expect(describeAction({ ...event, outcome: 'refused' })).toBe('Tried to sign in as')
  expect(describeAction({ ...event, outcome: 'failed', target: null })).toBe('Tried to sign in')
})
