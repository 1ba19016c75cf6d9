import { expect, test } from 'vitest'
import { replyJson } from '#service/admin-api/testing/hostile-admin-api.ts'
import { createClient, readFailure } from '#service/admin-api/testing/hostile-client.ts'

const nowMs = Date.parse('2026-01-01T00:00:00.000Z')
const hourMs = 3_600_000
const toHeader = (ms: number) => new Date(ms).toUTCString()
const compact = (ms: number) => new Date(ms).toISOString().replaceAll(/[-:]|\.\d{3}/g, '')

/** A service whose clock is `leadMs` ahead of ours. `body` and `headers` take the time that it shows. */
const skewed = (
  leadMs: number,
  answer: { status?: number; body?: (theirMs: number) => unknown; headers?: (theirMs: number) => object },
) => {
  const theirMs = nowMs + leadMs
  const headers = { date: toHeader(theirMs), ...answer.headers?.(theirMs) }
  return createClient(replyJson(answer.status ?? 200, answer.body?.(theirMs) ?? {}, headers), { now: () => nowMs })
}

test.each([hourMs, -hourMs, 40 * 366 * 24 * hourMs, 0])(
  'a Retry-After date is read by the clock of a service that is %d ms ahead',
  async (leadMs) => {
    for (const status of [429, 503]) {
      const headers = (theirMs: number) => ({ 'retry-after': toHeader(theirMs + 4_000) })
      const { api } = await skewed(leadMs, { status, headers })
      expect((await readFailure(api.getStaticExport('e'))).retryAfterMs).toBe(4_000)
    }
  },
)

test.each([hourMs, -hourMs])(
  'instants of records are read by the clock of a service that is %d ms ahead',
  async (lead) => {
    const at = (ms: number) => new Date(ms).toISOString()
    const body = (theirMs: number) => ({
      status: 'active',
      createdAt: at(theirMs - 60_000),
      startedAt: at(theirMs - 30_000),
      updatedAt: at(theirMs),
    })
    const { api } = await skewed(lead, { body })
    expect(await api.getAgentJob({ projectId: 'p', id: 'j' })).toMatchObject({
      createdAt: at(nowMs - 60_000),
      startedAt: at(nowMs - 30_000),
      archivedAt: null,
    })
    expect(await api.getStaticExport('e')).toMatchObject({ createdAt: at(nowMs - 60_000), updatedAt: at(nowMs) })
  },
)

test.each([hourMs, -hourMs])(
  'the expiry of a link is read by the clock of a service that is %d ms ahead',
  async (lead) => {
    const links = [
      (theirMs: number) => ({
        bundleUrl: 'https://store.example/b',
        expiresAt: new Date(theirMs + 900_000).toISOString(),
      }),
      (theirMs: number) => ({
        bundleUrl: `https://store.example/b?X-Amz-Date=${compact(theirMs)}&X-Amz-Expires=900&X-Amz-Signature=0`,
      }),
    ]
    for (const body of links) {
      const { api } = await skewed(lead, { body })
      expect((await api.generateBundle('e')).expiresAtMs).toBe(nowMs + 900_000)
    }
  },
)

test('two reads of one record give the same instants while the clock of the service drifts by seconds', async () => {
  const createdAt = '2026-01-01T01:00:00.000Z'
  let leadMs = 30_400
  const { api } = await createClient(
    (socket, request) =>
      replyJson(200, { status: 'active', createdAt }, { date: toHeader(nowMs + hourMs + leadMs) })(socket, request),
    { now: () => nowMs },
  )
  const seen = new Set<string | null>()
  for (leadMs of [29_000, 31_000, 28_000, 33_000]) seen.add((await api.getStaticExport('e')).createdAt)
  expect(seen.size).toBe(1)
})

test('a service without a usable date is read by our clock', async () => {
  for (const date of ['', 'soon', 'Thu, 01 Jan 9999 00:00:00 GMT']) {
    const createdAt = '2025-12-31T23:00:00.000Z'
    const { api } = await createClient(replyJson(200, { status: 'active', createdAt }, { date }), { now: () => nowMs })
    expect((await api.getStaticExport('e')).createdAt).toBe(createdAt)
  }
})
