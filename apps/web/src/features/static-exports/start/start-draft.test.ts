import { expect, test } from 'vitest'
import { asIntent, pathsOf } from './start-draft.ts'

const draft = { domain: 'docs.example.com', version: '', paths: '', requestId: null, sentAs: null }

test('sending the same again keeps its id, so that a retry starts nothing twice', () => {
  const first = asIntent(draft)
  expect(asIntent(first).requestId).toBe(first.requestId)
})

test('a changed draft is another intent', () => {
  const first = asIntent(draft)
  for (const change of [{ domain: 'other.example.com' }, { version: 'v2' }, { paths: '/a' }])
    expect(asIntent({ ...first, ...change }).requestId).not.toBe(first.requestId)
})

test('no paths mean every page', () => {
  expect(pathsOf(' \n\n')).toBe(null)
  expect(pathsOf('/a\n  /b  \n')).toEqual(['/a', '/b'])
})
