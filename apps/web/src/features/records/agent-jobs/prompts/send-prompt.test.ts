import { expect, test } from 'vitest'
import { ApiError, errorAt } from '#lib/api/api-error.ts'
import { maxPromptLength, problemElsewhere, promptProblem } from './send-prompt.ts'

test('a prompt that the server would refuse is not sent, and its field shows the reason', () => {
  expect(promptProblem(' \n\t ')).toMatch(/^Say what/)
  expect(promptProblem('x'.repeat(maxPromptLength + 1))).toMatch(/^Shorten/)
  expect(promptProblem('Fix links\n\tin the \u0007guide')).toMatch(/^Line 2 contains .* after “\tin the ”/)
  expect(promptProblem('\u001b[1mFix')).toMatch(/^Line 1 contains .* at its start/)
  for (const good of ['Fix\r\nlinks\t', ` ${'x'.repeat(maxPromptLength)} `, '修复链接 \u{1f600}'])
    expect(promptProblem(good)).toBeNull()
})

test('server errors about a field appear at the field, all others in one place', () => {
  const field = new ApiError('invalid_request', 'prompt: This is not proper text.', { field: 'prompt' })
  expect(errorAt(field, 'prompt')).toBe('This is not proper text.')
  expect([errorAt(field, 'projectId'), problemElsewhere(field, ['prompt'])]).toEqual([null, null])
  const noAnswer = new ApiError('no_answer', 'Docket isn’t responding.', {})
  expect(problemElsewhere(noAnswer, ['prompt'])).toEqual({
    unanswered: expect.stringMatching(/safe to try again/) as string,
  })
  expect(problemElsewhere(new ApiError('too_many_requests', 'Wait.', {}), ['prompt'])).toEqual({ elsewhere: 'Wait.' })
})
