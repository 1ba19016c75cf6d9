import { expect, test } from 'vitest'
import { findJsonProblem } from '#ground/http/server/body-limit.ts'

test.each([
  '{}',
  '[]',
  '1',
  '"__proto__"',
  '{"a":"__proto__","b":["constructor",{"c":"prototype"}]}',
  '{"a":{"x":1},"b":{"x":1},"c":[{"x":1},{"x":1}]}',
  '{"a":"{\\"a\\":1,\\"a\\":2}"}',
  '{"a\\"":1,"a":2}',
  ' { "a" : [ 1 , "a" , { "a" : "b" } ] , "b" : null } ',
  '[['.repeat(16) + ']]'.repeat(16),
])('%s is accepted, because every parser reads it in the same way', (text) => {
  expect(findJsonProblem(text)).toBe(null)
})

test.each(['', '{', '{"a":1,"a":2', '{"__proto__":1]', 'x', `"${'\\"'.repeat(30_000)}`, '['.repeat(60_000)])(
  'text that is not JSON is passed on unchecked: %.20s',
  (text) => {
    expect(findJsonProblem(text)).toBe(null)
  },
)

test.each([
  '{"a":1,"a":2}',
  '{"a":1,"b":2,"a":1}',
  '{"a":1,"\\u0061":2}',
  '[{"x":{"y":[{"z":1,"z":2}]}}]',
  '{"a":{"a":1},"a":1}',
  '{"a":[{}],"a":1}',
])('a name repeated in one object is refused: %s', (text) => {
  expect(findJsonProblem(text)).toMatch(/twice/)
})

test.each([
  '{"__proto__":{"isAdmin":true}}',
  '{"a":[{"__proto__":null}]}',
  '{"\\u005f_proto__":{"isAdmin":true}}',
  '{"constructor":{"prototype":{"isAdmin":true}}}',
  '{"a":{"prototype":1}}',
])('a name that sets a prototype is refused: %s', (text) => {
  expect(findJsonProblem(text)).toMatch(/is no name of a field/)
})

test('deep nesting is refused', () => {
  expect(findJsonProblem('['.repeat(33) + ']'.repeat(33))).toMatch(/nested 32 deep/)
  expect(findJsonProblem('{"a":'.repeat(5_000) + '1' + '}'.repeat(5_000))).toMatch(/nested 32 deep/)
})
