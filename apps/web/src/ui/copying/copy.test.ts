import { expect, test } from 'vitest'
import { formatSupportText } from '#ui/copying/copy.ts'

test('a text for support has one line per fact, including missing facts', () => {
  const text = formatSupportText('export', { state: 'failed', 'job id': null, reason: 'two\nlines' }, new Date(0))
  expect(text).toBe(
    'Docket, export\nstate: failed\njob id: none\nreason: two lines\ncopied at: 1970-01-01T00:00:00.000Z',
  )
})
