import { once } from 'node:events'
import { MessageChannel } from 'node:worker_threads'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { waitForDatabase, withDeadline, withOwnDeadline, withoutDeadline } from '#ground/db/deadline.ts'
import { isDatabaseUnavailable } from '#ground/db/unavailable.ts'
import { shareReads } from '#ground/http/conditional-get/coalesce.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const never = () => new Promise<never>(() => {})
const query = (ms: number) => waitForDatabase(() => new Promise<string>((resolve) => setTimeout(resolve, ms, 'rows')))
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
const within = <T>(work: () => Promise<T>, isOver = () => false) =>
  withDeadline(1_000, isOver, work).catch((error: unknown) => {
    if (!isDatabaseUnavailable(error)) throw error
    return 'late' as const
  })
const after = (ms: number) => vi.advanceTimersByTimeAsync(ms)

test('waits for the database in one request add up, and other time does not count', async () => {
  const inTime = within(async () => {
    await query(450)
    await pause(60_000)
    return query(450)
  })
  const tooLong = within(async () => {
    await query(450)
    await query(450)
    return query(450)
  })
  await after(100_000)
  expect([await inTime, await tooLong]).toEqual(['rows', 'late'])
})

test('concurrent waits for the database count once', async () => {
  const answer = within(() => Promise.all([query(800), query(700), query(600)]))
  await after(2_000)
  expect(await answer).toEqual(['rows', 'rows', 'rows'])
})

test('an operation is abandoned at the deadline, and none begins after the deadline', async () => {
  const giveUp = vi.fn()
  const begin = vi.fn(never)
  const answer = withDeadline(
    1_000,
    () => false,
    async () => {
      await waitForDatabase(never, giveUp).catch(() => {})
      await waitForDatabase(begin, giveUp)
    },
  )
  const late = expect(answer).rejects.toSatisfy(isDatabaseUnavailable)
  await after(1_010)
  await late
  expect(giveUp).toHaveBeenCalledTimes(2)
  expect(begin).not.toHaveBeenCalled()
})

test('a deadline that was lifted abandons nothing, and work that outlives its request has no deadline', async () => {
  let started = false
  const streamed = within(
    () => query(1_500),
    () => started,
  )
  const outliving = within(() => withoutDeadline(() => query(60_000)))
  started = true
  await after(60_000)
  expect([await streamed, await outliving]).toEqual(['rows', 'rows'])
})

test('a shared read has its own deadline and delays no caller past theirs', async () => {
  const read = shareReads(() => query(900))
  const first = within(async () => {
    await query(500)
    return read()
  })
  const second = pause(500).then(() => within(read))
  // Waits until that read is over, then for one that began after it asked.
  const third = pause(700).then(() => within(read))
  await after(10_000)
  expect([await first, await second, await third]).toEqual(['late', 'rows', 'late'])
  const own = within(async () => {
    await query(900)
    return withOwnDeadline(() => query(900))
  })
  await after(2_000)
  expect(await own).toBe('rows')
})

test('a response that arrived while the process was busy is accepted', async () => {
  vi.useRealTimers()
  const { port1: server, port2: client } = new MessageChannel()
  const answer = withDeadline(
    20,
    () => false,
    () => waitForDatabase(() => once(client, 'message')),
  )
  server.postMessage('rows')
  const busyUntil = performance.now() + 50
  while (performance.now() < busyUntil);
  expect(await answer).toEqual(['rows'])
  server.close()
})
