import { expect, test } from 'vitest'
import { emptyDraft, toRequest } from './token-form.ts'

const draft = { ...emptyDraft, name: 'CI', connectionIds: ['a'], domains: 'a.example\n' }

test('a token that reaches everything is sent without a restriction, whatever was typed before', () => {
  const request = toRequest(draft)
  expect(request).toMatchObject({ domains: null, projectIds: null, connectionIds: null })
})

test('a restricted token is sent with its names, and needs at least one', () => {
  expect(toRequest({ ...draft, restricted: true })).toMatchObject({ domains: ['a.example'], connectionIds: ['a'] })
  expect(toRequest({ ...draft, restricted: true, domains: ' ' })).toMatchObject({ domains: null, connectionIds: ['a'] })
  expect(toRequest({ ...draft, restricted: true, domains: '', connectionIds: [] })).toContain('Enter at least one')
})
