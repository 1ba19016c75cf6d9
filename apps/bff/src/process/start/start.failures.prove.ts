import { expect, test } from 'vitest'
import { expectCause, isAboutPeople, startWith } from '#testing/spoiled-start.ts'

test('a start that fails at a statement with values prints the cause first, and no secret and no value', async () => {
  const whole = await startWith(() => false)
  expect(whole.code).toBe(0)
  // Only a statement with parameters has values to print. Every third of those without secrets stands for the others.
  const withValues = [...new Set(whole.seen)].filter((text) => text.includes('$1'))
  const others = withValues.filter((text) => !isAboutPeople(text)).filter((_, index) => index % 3 === 0)
  const statements = [...withValues.filter(isAboutPeople), ...others]
  expect(statements.filter(isAboutPeople).length).toBeGreaterThan(7)
  const refused: string[] = []
  const failing = async (statement: string) => {
    if (expectCause(statement, await startWith((text) => text === statement))) refused.push(statement)
  }
  const [one, other] = [statements.filter((_, n) => n % 2 === 0), statements.filter((_, n) => n % 2 === 1)]
  await Promise.all(
    [one, other].map(async (mine) => {
      for (const statement of mine) await failing(statement)
    }),
  )
  expect(refused.filter(isAboutPeople).length).toBeGreaterThan(7)
})
