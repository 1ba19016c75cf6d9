import pino from 'pino'
import { expect, test } from 'vitest'
import { createWatchLoop, type WatchedRecords } from './loop.ts'

/** A machine clock that moves only by hand. */
const fakeTime = () => {
  const waiting = new Map<symbol, { at: number; run: () => void }>()
  const time = {
    ms: 0,
    timer: (run: () => void, ms: number) => {
      const id = Symbol('timer')
      waiting.set(id, { at: time.ms + ms, run })
      return () => void waiting.delete(id)
    },
    /** Lets everything that is ready run. */
    settle: () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve))),
    advance: async (ms: number) => {
      time.ms += ms
      for (const [id, { at, run }] of waiting)
        if (at <= time.ms) {
          waiting.delete(id)
          run()
        }
      await time.settle()
    },
    sleeps: () => [...waiting.values()].map(({ at }) => at - time.ms),
  }
  return time
}

const loopOn = (records: Partial<WatchedRecords<string>>, concurrency = 8) => {
  const time = fakeTime()
  const loop = createWatchLoop<string>({
    name: 'test',
    claim: () => Promise.resolve([]),
    check: () => Promise.resolve(),
    nextDueAt: () => Promise.resolve(null),
    ...records,
    now: () => time.ms,
    timer: time.timer,
    log: pino({ level: 'silent' }),
    concurrency,
  })
  return { time, loop }
}

test('the loop sleeps until the next record is due', async () => {
  const passes: number[] = []
  const { time, loop } = loopOn({
    claim: () => Promise.resolve(passes.push(time.ms)).then(() => []),
    nextDueAt: () => Promise.resolve(new Date(5000)),
  })
  loop.start()
  await time.settle()
  expect(time.sleeps()).toEqual([5000])
  await time.advance(4999)
  expect(passes).toEqual([0])
  await time.advance(1)
  expect(passes).toEqual([0, 5000])
  await loop.stop()
})

test('a record that is due within milliseconds is read on time', async () => {
  const { time, loop } = loopOn({ nextDueAt: () => Promise.resolve(new Date(time.ms + 20)) })
  loop.start()
  await time.settle()
  expect(time.sleeps()).toEqual([20])
  await loop.stop()
})

test('with no records the loop still checks every 15 seconds, because another process may add some', async () => {
  const { time, loop } = loopOn({})
  loop.start()
  await time.settle()
  expect(time.sleeps()).toEqual([15_000])
  await loop.stop()
  expect(time.sleeps()).toEqual([])
})

test('wake ends the sleep, and is not lost during a pass', async () => {
  let passes = 0
  const { time, loop } = loopOn({
    claim: () => {
      passes += 1
      if (passes === 1) loop.wake()
      return Promise.resolve([])
    },
  })
  loop.start()
  await time.settle()
  expect(passes).toBe(2)
  loop.wake()
  await time.settle()
  expect(passes).toBe(3)
  await loop.stop()
})

test('the loop never checks more records at once than the concurrency allows', async () => {
  const due = ['a', 'b', 'c', 'd', 'e']
  const ends: (() => void)[] = []
  const limits: number[] = []
  const { time, loop } = loopOn(
    {
      claim: (limit) => Promise.resolve(limits.push(limit)).then(() => due.splice(0, limit)),
      check: () => new Promise<void>((resolve) => ends.push(resolve)),
    },
    2,
  )
  loop.start()
  await time.settle()
  expect(ends).toHaveLength(2)
  ends[0]?.()
  await time.settle()
  expect(ends).toHaveLength(3)
  expect(limits).toEqual([2, 1])
  for (const end of ends) end()
  await time.settle()
  for (const end of ends) end()
  await loop.stop()
})

test('the loop retries with pauses while the database is unavailable, and continues afterwards', async () => {
  let away = true
  let attempts = 0
  const { time, loop } = loopOn({
    claim: () => {
      attempts += 1
      return away ? Promise.reject(new Error('connection refused')) : Promise.resolve([])
    },
  })
  loop.start()
  await time.settle()
  for (let round = 0; round < 20; round += 1) await time.advance(15_250)
  expect(attempts).toBe(21)
  away = false
  await time.advance(15_250)
  expect(time.sleeps()).toEqual([15_000])
  await loop.stop()
})

test('a check that throws stops neither the loop nor the other checks', async () => {
  const due = ['bad', 'good']
  const checked: string[] = []
  const { time, loop } = loopOn({
    claim: () => Promise.resolve(due.splice(0)),
    check: (row) => (row === 'bad' ? Promise.reject(new Error('lost')) : Promise.resolve(void checked.push(row))),
  })
  loop.start()
  await time.settle()
  due.push('later')
  loop.wake()
  await time.settle()
  expect(checked).toEqual(['good', 'later'])
  await loop.stop()
})

test('a due record that another process has leased does not make the loop spin', async () => {
  let passes = 0
  const { time, loop } = loopOn({
    claim: () => Promise.resolve((passes += 1)).then(() => []),
    nextDueAt: () => Promise.resolve(new Date(0)),
  })
  loop.start()
  await time.settle()
  expect(passes).toBe(1)
  expect(time.sleeps()).toEqual([250])
  await loop.stop()
})

test('stop waits for the checks in flight and claims nothing more', async () => {
  let end: () => void = () => {}
  let claims = 0
  let stopped = false
  const { time, loop } = loopOn({
    claim: () => Promise.resolve((claims += 1) === 1 ? ['slow'] : []),
    check: () => new Promise<void>((resolve) => (end = resolve)),
  })
  loop.start()
  await time.settle()
  const before = claims
  const stopping = loop.stop().then(() => (stopped = true))
  await time.settle()
  expect(stopped).toBe(false)
  end()
  await stopping
  expect(claims).toBe(before)
})
