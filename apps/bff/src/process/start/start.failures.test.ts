import { expect, test } from 'vitest'
import { expectCause, startWith } from '#testing/spoiled-start.ts'

test('a start that fails as it makes the first admin says the cause first, and prints no secret and no value', async () => {
  const isFirstAdmin = (statement: string) => statement.startsWith('insert into "users"')
  const failed = await startWith(isFirstAdmin)
  expect(failed.seen.filter(isFirstAdmin)).toHaveLength(1)
  expect(expectCause('the first admin', failed)).toBe(true)
})
