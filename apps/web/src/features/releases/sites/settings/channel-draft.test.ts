import type { Channel } from '@docket/api-types/sites'
import { expect, test } from 'vitest'
import { dropEmptyHeaders, emptyPublishChecks, rebaseDraft, toChannelChange, toChannelDraft } from './channel-draft.ts'

const publishChecks = {
  finishedCheck: true,
  noNewBreaks: true,
  noNewLeaks: false,
  maxFewerPages: null,
  maxBytes: 1_500_000,
  sameSearch: true,
  approvals: 2,
}
const channel: Channel = {
  channelId: '00000000-0000-4000-8000-000000000001',
  name: 'production',
  version: 7,
  followsExports: false,
  current: null,
  pinned: null,
  isProtected: true,
  access: 'signed_in',
  hostname: null,
  address: null,
  addressProblem: null,
  headers: [{ name: 'X-Team', value: 'docs' }],
  oldHeaders: [],
  accessLog: false,
  publishChecks,
  mayPublish: true,
}

test('an unchanged draft sends nothing; a changed one sends its changes and the version they are based on', () => {
  const draft = toChannelDraft(channel)
  expect(toChannelChange(draft, channel)).toBeNull()
  expect(toChannelChange({ ...draft, access: 'public', hostname: ' Docs.Example.com ' }, channel)).toEqual({
    version: 7,
    access: 'public',
    hostname: 'docs.example.com',
  })
  expect(toChannelChange({ ...draft, publishChecks: { ...draft.publishChecks, asksOthers: false } }, channel)).toEqual({
    version: 7,
    publishChecks: { ...publishChecks, approvals: 0 },
  })
})

test('the default checks can be restored from any settings', () => {
  expect(toChannelChange({ ...toChannelDraft(channel), publishChecks: emptyPublishChecks }, channel)).toMatchObject({
    publishChecks: { noNewLeaks: true, maxFewerPages: 10, maxBytes: null, approvals: 0 },
  })
})

test('an invalid number is reported at its field, unless its condition is switched off', () => {
  const { publishChecks: typed, ...draft } = toChannelDraft(channel)
  const change = (changes: Partial<typeof typed>) =>
    toChannelChange({ ...draft, publishChecks: { ...typed, ...changes } }, channel)
  expect(change({ limitsPages: true, maxFewerPages: '1000' })).toMatchObject({ field: 'publishChecks.maxFewerPages' })
  expect(change({ maxSize: 'large' })).toMatchObject({ field: 'publishChecks.maxBytes' })
  expect(change({ approvals: '6' })).toMatchObject({ field: 'publishChecks.approvals' })
  expect(change({ maxFewerPages: 'none' })).toBeNull()
})

test('typed values are kept when another user saves the same settings meanwhile', () => {
  const typed = { ...toChannelDraft(channel), hostname: 'docs.example.com' }
  const now = { ...channel, version: 8, access: 'private' as const, hostname: 'handbook.example.com' }
  const merged = rebaseDraft(typed, channel, now)
  expect(merged).toMatchObject({ hostname: 'docs.example.com', access: 'private' })
  expect(toChannelChange(merged, now)).toEqual({ version: 8, hostname: 'docs.example.com' })
})

test('empty header rows are not sent', () => {
  const headers = [
    { key: 4, name: ' ', value: '' },
    { key: 5, name: 'X-A', value: '' },
  ]
  expect(toChannelChange(dropEmptyHeaders({ ...toChannelDraft(channel), headers }), channel)).toEqual({
    version: 7,
    headers: [{ name: 'X-A', value: '' }],
  })
})
