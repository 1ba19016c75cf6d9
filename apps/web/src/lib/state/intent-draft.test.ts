import { expect, test } from 'vitest'
import { asIntent, createDraft } from './intent-draft.ts'

const draft = createDraft({ domain: 'docs.example.com', version: '', paths: '' })

test('sending an unchanged draft again keeps its id, so that a retry starts nothing twice', () => {
  const first = asIntent(draft)
  expect(asIntent(first).requestId).toBe(first.requestId)
})

test('a changed draft gets a new id', () => {
  const first = asIntent(draft)
  for (const change of [{ domain: 'other.example.com' }, { version: 'v2' }, { paths: '/a' }])
    expect(asIntent({ ...first, ...change }).requestId).not.toBe(first.requestId)
})
