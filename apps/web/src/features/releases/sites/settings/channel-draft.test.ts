import type { Channel } from '@docket/api-types/sites'
import { expect, test } from 'vitest'
import { dropEmptyHeaders, emptyGate, rebaseDraft, toChannelChange, toChannelDraft } from './channel-draft.ts'

const gate = {
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
  gate,
  mayPromote: true,
}

test('an unchanged draft sends nothing; a changed one sends its changes and the version they are based on', () => {
  const draft = toChannelDraft(channel)
  expect(toChannelChange(draft, channel)).toBeNull()
  expect(toChannelChange({ ...draft, access: 'public', hostname: ' Docs.Example.com ' }, channel)).toEqual({
    version: 7,
    access: 'public',
    hostname: 'docs.example.com',
  })
  expect(toChannelChange({ ...draft, gate: { ...draft.gate, asksOthers: false } }, channel)).toEqual({
    version: 7,
    gate: { ...gate, approvals: 0 },
  })
})

test('the defaults of a gate can be restored from any settings', () => {
  expect(toChannelChange({ ...toChannelDraft(channel), gate: emptyGate }, channel)).toMatchObject({
    gate: { noNewLeaks: true, maxFewerPages: 10, maxBytes: null, approvals: 0 },
  })
})

test('an invalid number is reported at its field, unless its condition is switched off', () => {
  const { gate: typed, ...draft } = toChannelDraft(channel)
  const change = (changes: Partial<typeof typed>) =>
    toChannelChange({ ...draft, gate: { ...typed, ...changes } }, channel)
  expect(change({ limitsPages: true, maxFewerPages: '1000' })).toMatchObject({ field: 'gate.maxFewerPages' })
  expect(change({ maxSize: 'large' })).toMatchObject({ field: 'gate.maxBytes' })
  expect(change({ approvals: '6' })).toMatchObject({ field: 'gate.approvals' })
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
