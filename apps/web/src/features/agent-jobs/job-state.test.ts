import { expect, test } from 'vitest'
import { canChange, isWorking, jobState } from './job-state.ts'

test('a completed job whose pull request may still come says so: it no longer works, but it can change', () => {
  const job = { meaning: 'finishing', status: 'completed' } as const
  expect(jobState(job).word).toBe('No pull request yet')
  expect(isWorking(job)).toBe(false)
  expect(canChange(job)).toBe(true)
})
