import type { Channel } from '@docket/api-types/sites'
import { expect, test } from 'vitest'
import { dropEmptyHeaders, emptyGate, rebase, toChange, toDraft } from './channel-draft.ts'

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
  const draft = toDraft(channel)
  expect(toChange(draft, channel)).toBeNull()
  expect(toChange({ ...draft, access: 'public', hostname: ' Docs.Example.com ' }, channel)).toEqual({
    version: 7,
    access: 'public',
    hostname: 'docs.example.com',
  })
  expect(toChange({ ...draft, gate: { ...draft.gate, asksOthers: false } }, channel)).toEqual({
    version: 7,
    gate: { ...gate, approvals: 0 },
  })
})

test('the defaults of a gate can be restored from any settings', () => {
  expect(toChange({ ...toDraft(channel), gate: emptyGate }, channel)).toMatchObject({
    gate: { noNewLeaks: true, maxFewerPages: 10, maxBytes: null, approvals: 0 },
  })
})

test('an invalid number is reported at its field, unless its condition is switched off', () => {
  const { gate: typed, ...draft } = toDraft(channel)
  const change = (changes: Partial<typeof typed>) => toChange({ ...draft, gate: { ...typed, ...changes } }, channel)
  expect(change({ limitsPages: true, maxFewerPages: '1000' })).toMatchObject({ field: 'gate.maxFewerPages' })
  expect(change({ maxSize: 'large' })).toMatchObject({ field: 'gate.maxBytes' })
  expect(change({ approvals: '6' })).toMatchObject({ field: 'gate.approvals' })
  expect(change({ maxFewerPages: 'none' })).toBeNull()
})

test('typed values are kept when another user saves the same settings meanwhile', () => {
  const typed = { ...toDraft(channel), hostname: 'docs.example.com' }
  const now = { ...channel, version: 8, access: 'private' as const, hostname: 'handbook.example.com' }
  const merged = rebase(typed, channel, now)
  expect(merged).toMatchObject({ hostname: 'docs.example.com', access: 'private' })
  expect(toChange(merged, now)).toEqual({ version: 8, hostname: 'docs.example.com' })
})

test('empty header rows are not sent', () => {
  const headers = [
    { key: 4, name: ' ', value: '' },
    { key: 5, name: 'X-A', value: '' },
  ]
  expect(toChange(dropEmptyHeaders({ ...toDraft(channel), headers }), channel)).toEqual({
    version: 7,
    headers: [{ name: 'X-A', value: '' }],
  })
})
