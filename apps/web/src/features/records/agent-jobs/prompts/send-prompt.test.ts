import { expect, test } from 'vitest'
import { ApiError, findErrorAt } from '#lib/api/api-error.ts'
import { maxPromptLength, findProblemElsewhere, findPromptProblem } from './send-prompt.ts'

test('a prompt that the server would refuse is not sent, and its field shows the reason', () => {
  expect(findPromptProblem(' \n\t ')).toMatch(/^Say what/)
  expect(findPromptProblem('x'.repeat(maxPromptLength + 1))).toMatch(/^Shorten/)
  expect(findPromptProblem('Fix links\n\tin the \u0007guide')).toMatch(/^Line 2 contains .* after “\tin the ”/)
  expect(findPromptProblem('\u001b[1mFix')).toMatch(/^Line 1 contains .* at its start/)
  for (const good of ['Fix\r\nlinks\t', ` ${'x'.repeat(maxPromptLength)} `, '修复链接 \u{1f600}'])
    expect(findPromptProblem(good)).toBeNull()
})

test('server errors about a field appear at the field, all others in one place', () => {
  const field = new ApiError('invalid_request', 'prompt: This is not proper text.', { field: 'prompt' })
  expect(findErrorAt(field, 'prompt')).toBe('This is not proper text.')
  expect([findErrorAt(field, 'projectId'), findProblemElsewhere(field, ['prompt'])]).toEqual([null, null])
  const noAnswer = new ApiError('no_answer', 'Docket isn’t responding.', {})
  expect(findProblemElsewhere(noAnswer, ['prompt'])).toEqual({
    unanswered: expect.stringMatching(/safe to try again/) as string,
  })
  expect(findProblemElsewhere(new ApiError('too_many_requests', 'Wait.', {}), ['prompt'])).toEqual({
    elsewhere: 'Wait.',
  })
})
