import { expect, test } from 'vitest'
import { ApiError } from '#lib/api/api-error.ts'
import { emptyOrder, findOrderProblems, readOrderProblem, toOrder } from './order-draft.ts'

test('a maintenance order contains only the fields of its action and keeps whitespace in texts', () => {
  const draft = { ...emptyOrder, find: ' a ', from: ' x ', to: 'y', folder: ' guide ', pages: 'a\n\n b \n', limit: '5' }
  const scope = { folder: 'guide', pages: ['a', 'b'], limit: 5 }
  expect(toOrder(draft)).toEqual({ action: 'fix_links', ...scope })
  expect(toOrder({ ...draft, action: 'move' })).toEqual({ action: 'move', from: 'x', to: 'y' })
  expect(toOrder({ ...draft, action: 'replace' })).toEqual({
    action: 'replace',
    find: ' a ',
    replacement: '',
    wholeWords: false,
    matchCase: false,
    includeCode: false,
    ...scope,
  })
})

test('an invalid field shows its own message, whether the form or the server rejected it', () => {
  expect(findOrderProblems({ ...emptyOrder, action: 'replace', limit: '0' })).toEqual({
    find: 'Enter the text to replace.',
    limit: 'Enter a whole number from 1 to 9,999.',
  })
  expect(findOrderProblems({ ...emptyOrder, action: 'move', limit: 'x', to: 'y' })).toEqual({
    from: 'Enter the page to move.',
  })
  const error = new ApiError('invalid_request', 'maintenance.pages.2: Too long.', { field: 'maintenance.pages.2' })
  expect(readOrderProblem(error)).toEqual({ pages: 'Too long.' })
})
