import { expect, test } from 'vitest'
import { AdminApiError, type UpstreamCode } from '#ground/errors/app-error.ts'
import type { AdminApiOperation } from './admin-api.ts'
import { applyOutcome, describeConnection, noConnection } from './connection.ts'

const setUp = () => {
  let log = noConnection
  const record = (
    atMs: number,
    code: UpstreamCode | null,
    key: 'main' | 'read' = 'main',
    operation: AdminApiOperation = 'getAgentJob',
    about = 'a.example',
    sentence: string | null = 'Not found',
  ) => {
    const error =
      code === null ? null : new AdminApiError(code, `message of ${code}`, { effect: 'none', about, sentence })
    log = applyOutcome(log, { operation, key, error }, atMs)
    return describeConnection(log)
  }
  return { record }
}
const at = (ms: number) => new Date(ms).toISOString()

test('before the first call the state of the connection is unknown', () => {
  expect(describeConnection(noConnection)).toEqual({ state: 'unknown', message: null, since: null, lastOkAt: null })
})

test('each failure maps to a connection state, and errors about one record count as good answers', () => {
  const table: [UpstreamCode, string][] = [
    ['upstream_key_rejected', 'key_rejected'],
    ['upstream_forbidden', 'forbidden'],
    ['upstream_rate_limited', 'rate_limited'],
    ['upstream_unavailable', 'unreachable'],
    ['upstream_timeout', 'unreachable'],
    ['upstream_unexpected', 'unexpected'],
  ]
  for (const [code, state] of table)
    expect(setUp().record(1, code)).toMatchObject({ state, message: `message of ${code}`, lastOkAt: null })
  for (const code of ['upstream_not_found', 'upstream_conflict', 'upstream_refused'] as const) {
    expect(setUp().record(1, code)).toEqual({ state: 'ok', message: null, since: at(1), lastOkAt: at(1) })
  }
})

test('a state keeps its start time while it lasts, and the time of the last good answer is kept', () => {
  const { record } = setUp()
  record(1_000, null)
  expect(record(2_000, null)).toEqual({ state: 'ok', message: null, since: at(1_000), lastOkAt: at(2_000) })
  record(3_000, 'upstream_timeout')
  expect(record(4_000, 'upstream_unavailable')).toMatchObject({
    state: 'unreachable',
    since: at(3_000),
    lastOkAt: at(2_000),
  })
  expect(record(5_000, null)).toMatchObject({ state: 'ok', message: null, since: at(5_000) })
})

test('successful reads with one key never hide that the other key is rejected', () => {
  const { record } = setUp()
  record(1, 'upstream_key_rejected', 'main')
  expect(record(2, null, 'read').state).toBe('key_rejected')
  expect(record(3, 'upstream_timeout', 'read').state).toBe('key_rejected')
  expect(record(4, 'upstream_forbidden', 'read').state).toBe('key_rejected')
  expect(record(5, null, 'main').state).toBe('forbidden')
  expect(record(6, 'upstream_not_found', 'read').state).toBe('ok')
})

test('a refused or limited prompt does not change the state of the connection', () => {
  for (const [before, state] of [
    [null, 'ok'],
    ['upstream_key_rejected', 'key_rejected'],
  ] as const) {
    const { record } = setUp()
    const first = record(1, before)
    expect(first.state).toBe(state)
    expect(record(2, 'upstream_forbidden', 'main', 'createAgentJob')).toEqual(first)
    expect(record(3, 'upstream_rate_limited', 'main', 'sendAgentMessage')).toEqual(first)
  }
  expect(setUp().record(1, 'upstream_key_rejected', 'main', 'createAgentJob').state).toBe('key_rejected')
})

test('starts forbidden for one domain do not change the connection state, and for three domains in a row they do', () => {
  const { record } = setUp()
  const forbid = (domain: string) => record(2, 'upstream_forbidden', 'main', 'startStaticExport', domain)
  for (const domain of ['a.example', 'b.example', 'a.example', 'b.example'])
    expect(forbid(domain)).toEqual({ state: 'ok', message: null, since: at(2), lastOkAt: null })
  // Only the same operation counts.
  expect(record(2, 'upstream_forbidden', 'main', 'generateBundle', 'job-1').state).toBe('ok')
  expect(forbid('c.example')).toMatchObject({ state: 'forbidden', message: 'message of upstream_forbidden' })
  expect(record(3, null, 'main', 'getStaticExport').state).toBe('ok')
  expect(forbid('d.example').state).toBe('forbidden')
  expect(record(4, null, 'main', 'startStaticExport').state).toBe('ok')
  expect(forbid('e.example').state).toBe('ok')
})

test('a forbidden start keeps an earlier problem of its key, and a forbidden read is a problem at once', () => {
  const { record } = setUp()
  record(1, 'upstream_key_rejected')
  expect(record(2, 'upstream_forbidden', 'main', 'startStaticExport').state).toBe('key_rejected')
  expect(setUp().record(1, 'upstream_forbidden', 'main', 'getStaticExport').state).toBe('forbidden')
})

test('a missing or refused list of jobs does not change the state of the connection', () => {
  const { record } = setUp()
  const first = record(1, null)
  for (const code of ['upstream_unexpected', 'upstream_unavailable', 'upstream_forbidden', 'upstream_refused'] as const)
    expect(record(2, code, 'read', 'listAgentJobs')).toEqual(first)
  expect(record(3, 'upstream_key_rejected', 'read', 'listAgentJobs').state).toBe('key_rejected')
})

test('one call without an answer after a good one changes nothing, and a second one makes the service unreachable since the first', () => {
  const { record } = setUp()
  const good = record(1_000, null)
  expect(record(2_000, 'upstream_timeout', 'main', 'startStaticExport')).toEqual(good)
  expect(record(3_000, 'upstream_not_found')).toMatchObject({ state: 'ok', lastOkAt: at(3_000) })
  expect(record(4_000, 'upstream_unavailable', 'main', 'startStaticExport').state).toBe('ok')
  expect(record(5_000, 'upstream_unavailable')).toMatchObject({
    state: 'unreachable',
    since: at(4_000),
    lastOkAt: at(3_000),
  })
})

test('a 404 without an error message neither ends the problem of a key nor counts as a successful call', () => {
  const { record } = setUp()
  const bare = (atMs: number) => record(atMs, 'upstream_not_found', 'main', 'getStaticExport', 'job', null)
  expect(bare(1)).toMatchObject({ state: 'ok', lastOkAt: null })
  record(2, 'upstream_key_rejected')
  expect(bare(3)).toMatchObject({ state: 'key_rejected', lastOkAt: null })
  expect(record(4, 'upstream_not_found')).toMatchObject({ state: 'ok', lastOkAt: at(4) })
})
