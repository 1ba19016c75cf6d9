import type { ConnectionSettings } from '@docket/api-types/connections'
import { expect, test } from 'vitest'
import { testConnection } from '#lib/connections/testing/connection.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { needsKeyAgain, toChange, toCreate, toDraft } from './connection-draft.ts'

const settings = (change: Partial<ConnectionSettings> = {}): ConnectionSettings => ({
  ...testConnection({ colour: 'blue' }),
  source: 'settings',
  baseUrl: 'https://api.staging.example',
  key: { from: 'stored', file: null },
  readKey: { from: 'none', file: null },
  keyPrefix: null,
  callsPerHour: 3600,
  timeoutMs: 30_000,
  bundleHosts: ['files.example'],
  keyHealth: {
    firstUsedAt: null,
    lastAcceptedAt: null,
    lastRejectedAt: null,
    check: null,
    expiresOn: '2027-01-31',
    warning: null,
  },
  records: { staticExports: 0, agentJobs: 0 },
  createdBy: 'Ada',
  createdAt: '2026-11-22T00:00:00.000Z',
  ...change,
})

const field = (result: unknown) => (result instanceof ApiError ? result.field : null)

test('an unchanged form sends no request and no key', () => {
  expect(toChange(toDraft(settings()), settings())).toEqual({})
  const fromFile = settings({ key: { from: 'file', file: 'staging.key' } })
  expect(toChange(toDraft(fromFile), fromFile)).toEqual({})
})

test('only changed fields are sent', () => {
  const draft = { ...toDraft(settings()), name: 'Stage', keyExpiresOn: '', timeout: '5' }
  expect(toChange(draft, settings())).toEqual({ name: 'Stage', keyExpiresOn: null, timeoutMs: 5000 })
})

test('a changed address or bundle host requires the key again', () => {
  const moved = { ...toDraft(settings()), baseUrl: 'https://api.example' }
  expect(needsKeyAgain(moved, settings())).toBe(true)
  expect(field(toChange(moved, settings()))).toBe('key')
  const withKey = { ...moved, key: { value: ' k-1 ', file: '' } }
  expect(toChange(withKey, settings())).toEqual({ baseUrl: 'https://api.example', key: { value: 'k-1' } })
  expect(field(toChange({ ...toDraft(settings()), bundleHosts: '' }, settings()))).toBe('key')
})

test('a changed address sends the name of the key file again', () => {
  const fromFile = settings({ key: { from: 'file', file: 'staging.key' } })
  const moved = { ...toDraft(fromFile), baseUrl: 'https://api.example' }
  expect(toChange(moved, fromFile)).toEqual({ baseUrl: 'https://api.example', key: { file: 'staging.key' } })
})

test('a stored key is removed only on request', () => {
  const before = settings({ readKey: { from: 'stored', file: null } })
  expect(toChange(toDraft(before), before)).toEqual({})
  expect(toChange({ ...toDraft(before), dropsReadKey: true }, before)).toEqual({ readKey: null })
})

test('for a connection from the environment, only its marks, job list and key expiry can change', () => {
  const before = settings({ source: 'environment', key: { from: 'environment', file: null } })
  const draft = { ...toDraft(before), baseUrl: 'https://other.example', callsPerHour: 'x', production: true }
  expect(toChange({ ...draft, agentJobList: true }, before)).toEqual({ production: true, agentJobList: true })
})

test('a new connection requires a name, an address, a key and valid numbers', () => {
  const draft = { ...toDraft(null), name: 'Live', baseUrl: 'https://api.example', key: { value: '', file: 'live.key' } }
  expect(toCreate(draft)).toMatchObject({ name: 'Live', key: { file: 'live.key' }, readKey: null, timeoutMs: 30_000 })
  expect(field(toCreate({ ...draft, name: ' ' }))).toBe('name')
  expect(field(toCreate({ ...draft, baseUrl: '' }))).toBe('baseUrl')
  expect(field(toCreate({ ...draft, key: { value: ' ', file: '' } }))).toBe('key')
  expect(field(toCreate({ ...draft, callsPerHour: '1.5' }))).toBe('callsPerHour')
  expect(field(toCreate({ ...draft, timeout: '' }))).toBe('timeoutMs')
})
