import type { ConnectionSettings } from '@docket/api-types/connections'
import { expect, test } from 'vitest'
import { ApiError } from '#lib/api/api-error.ts'
import { testConnection } from '#lib/connections/testing/connection.ts'
import { needsKeyAgain, toConnectionChange, toAddRequest, toConnectionDraft } from './connection-draft.ts'

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
  expect(toConnectionChange(toConnectionDraft(settings()), settings())).toEqual({})
  const fromFile = settings({ key: { from: 'file', file: 'staging.key' } })
  expect(toConnectionChange(toConnectionDraft(fromFile), fromFile)).toEqual({})
})

test('only changed fields are sent', () => {
  const draft = { ...toConnectionDraft(settings()), name: 'Stage', keyExpiresOn: '', timeout: '5' }
  expect(toConnectionChange(draft, settings())).toEqual({ name: 'Stage', keyExpiresOn: null, timeoutMs: 5000 })
})

test('a changed address or bundle host requires the key again', () => {
  const moved = { ...toConnectionDraft(settings()), baseUrl: 'https://api.example' }
  expect(needsKeyAgain(moved, settings())).toBe(true)
  expect(field(toConnectionChange(moved, settings()))).toBe('key')
  const withKey = { ...moved, key: { value: ' k-1 ', file: '' } }
  expect(toConnectionChange(withKey, settings())).toEqual({ baseUrl: 'https://api.example', key: { value: 'k-1' } })
  expect(field(toConnectionChange({ ...toConnectionDraft(settings()), bundleHosts: '' }, settings()))).toBe('key')
})

test('a changed address of a connection with records asks whether the same service moved', () => {
  const before = settings({ records: { staticExports: 1, agentJobs: 0 } })
  const key = { value: 'k-1', file: '' }
  const moved = { ...toConnectionDraft(before), baseUrl: 'https://api.example', key }
  expect(field(toConnectionChange(moved, before))).toBe('sameService')
  expect(toConnectionChange({ ...moved, sameService: 'same' }, before)).toMatchObject({ sameService: true })
  expect(toConnectionChange({ ...moved, sameService: 'another' }, before)).toMatchObject({ sameService: false })
})

test('a changed address sends the name of the key file again', () => {
  const fromFile = settings({ key: { from: 'file', file: 'staging.key' } })
  const moved = { ...toConnectionDraft(fromFile), baseUrl: 'https://api.example' }
  expect(toConnectionChange(moved, fromFile)).toEqual({ baseUrl: 'https://api.example', key: { file: 'staging.key' } })
})

test('extra headers and a certificate are sent only when they are entered or removed', () => {
  const before = settings({ headerNames: ['X-Tenant'], clientCertificateExpiresOn: '2027-01-01' })
  const draft = toConnectionDraft(before)
  expect(toConnectionChange({ ...draft, headers: 'X-Tenant: a:b\n' }, before)).toEqual({
    headers: { 'X-Tenant': 'a:b' },
  })
  // A secret without a name must not become one.
  expect(toConnectionChange({ ...draft, headers: 'secret' }, before)).toEqual({ headers: { '': '' } })
  const pem = { certificate: 'cert', certificateKey: 'key' }
  const clientCertificate = { certificate: 'cert', key: 'key' }
  expect(toConnectionChange({ ...draft, ...pem }, before)).toEqual({ clientCertificate })
  const dropped = { headers: null, clientCertificate: null }
  expect(toConnectionChange({ ...draft, dropsHeaders: true, dropsCertificate: true }, before)).toEqual(dropped)
})

test('a stored key is removed only on request', () => {
  const before = settings({ readKey: { from: 'stored', file: null } })
  expect(toConnectionChange(toConnectionDraft(before), before)).toEqual({})
  expect(toConnectionChange({ ...toConnectionDraft(before), dropsReadKey: true }, before)).toEqual({ readKey: null })
})

test('for a connection from the environment, only its marks, job list and key expiry can change', () => {
  const before = settings({ source: 'environment', key: { from: 'environment', file: null } })
  const draft = { ...toConnectionDraft(before), baseUrl: 'https://other.example', callsPerHour: 'x', production: true }
  expect(toConnectionChange({ ...draft, agentJobList: true }, before)).toEqual({ production: true, agentJobList: true })
})

test('a new connection requires a name, an address, a key and valid numbers', () => {
  const draft = {
    ...toConnectionDraft(null),
    name: 'Live',
    baseUrl: 'https://api.example',
    key: { value: '', file: 'live.key' },
  }
  expect(toAddRequest(draft)).toMatchObject({
    name: 'Live',
    key: { file: 'live.key' },
    readKey: null,
    timeoutMs: 30_000,
  })
  expect(field(toAddRequest({ ...draft, name: ' ' }))).toBe('name')
  expect(field(toAddRequest({ ...draft, baseUrl: '' }))).toBe('baseUrl')
  expect(field(toAddRequest({ ...draft, key: { value: ' ', file: '' } }))).toBe('key')
  expect(field(toAddRequest({ ...draft, callsPerHour: '1.5' }))).toBe('callsPerHour')
  expect(field(toAddRequest({ ...draft, timeout: '' }))).toBe('timeoutMs')
})
