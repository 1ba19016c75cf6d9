import type { AuditVerification } from '@docket/api-types/audit'
import { expect, test } from 'vitest'
import { describeVerification, titleVerification } from './audit-verify.tsx'

const whole: AuditVerification = {
  rows: 2,
  purged: null,
  through: { auditId: 2, at: null, hash: 'ab' },
  broken: null,
  unsealed: { rows: 0, oldestAt: null },
  nextCursor: null,
}

test('the result of an audit verification is described in plain words', () => {
  expect(titleVerification(whole)).toBe('The audit is whole')
  expect(describeVerification(whole)).toEqual(['2 sealed rows are whole, up to row 2.'])
  const broken = { ...whole, rows: 1, broken: { auditId: 2, at: null, problem: 'removed' as const } }
  expect(titleVerification(broken)).toBe('The audit is broken at row 2')
  expect(describeVerification(broken)[0]).toBe('Row 2 is missing.')
  const nothing = { ...whole, rows: 0, through: null, unsealed: { rows: 1, oldestAt: '2026-03-01T10:00:00.000Z' } }
  expect(titleVerification(nothing)).toBe('No row is sealed yet')
  expect(describeVerification(nothing)).toEqual([expect.stringMatching(/^1 row is not sealed yet, the oldest from /)])
})
