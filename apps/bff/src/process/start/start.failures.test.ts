import { expect, test } from 'vitest'
import { expectCause, startWith } from '#testing/spoiled-start.ts'

test('a start that fails while creating the first admin prints the cause first, and no secret and no value', async () => {
  const isFirstAdmin = (statement: string) => statement.startsWith('insert into "users"')
  const failed = await startWith(isFirstAdmin)
  expect(failed.seen.filter(isFirstAdmin)).toHaveLength(1)
  expect(expectCause('the first admin', failed)).toBe(true)
})
