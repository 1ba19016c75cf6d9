import fc from 'fast-check'
import { expect, test } from 'vitest'
import { planBudget, createFullLevel, takeTokens } from './bucket.ts'

const hourMs = 3_600_000
const callsPerHour = fc.oneof(fc.constantFrom(1, 2, 3, 100, 3600, 36_000), fc.integer({ min: 1, max: 5000 }))
const asks = fc.array(
  fc.record({
    afterMs: fc.oneof(fc.integer({ min: 0, max: 5000 }), fc.integer({ min: 0, max: 2 * hourMs })),
    wanted: fc.integer({ min: 1, max: 200 }),
    click: fc.boolean(),
  }),
  { maxLength: 200 },
)

/** The most calls in any hour, its end not counted. */
const busiestHour = (calls: readonly { at: number; count: number }[]) =>
  calls.reduce((most, { at }, first) => {
    const within = calls.slice(first).filter((call) => call.at < at + hourMs)
    return Math.max(
      most,
      within.reduce((sum, { count }) => sum + count, 0),
    )
  }, 0)

test('no hour has more calls than allowed, whatever is polled and clicked', () => {
  fc.assert(
    fc.property(callsPerHour, asks, (allowed, sequence) => {
      const plan = planBudget(allowed)
      let nowMs = 1_000_000_000_000
      let level = createFullLevel(plan, nowMs)
      const calls = sequence.map(({ afterMs, wanted, click }) => {
        nowMs += afterMs
        const result = takeTokens(plan, level, { nowMs, wanted, click })
        level = result.level
        return { at: nowMs, count: result.granted }
      })
      expect(busiestHour(calls)).toBeLessThanOrEqual(allowed)
    }),
    { numRuns: 500 },
  )
})

test('continuous polling spends nearly the whole budget', () => {
  for (const [allowed, least] of [
    [1, 1],
    [2, 1],
    [100, 96],
    [3600, 3500],
    [36_000, 35_700],
  ] as const) {
    const plan = planBudget(allowed)
    let level = { tokens: 0, atMs: 0 }
    let calls = 0
    for (let nowMs = 0; nowMs <= 10 * hourMs; nowMs += 1000) {
      const result = takeTokens(plan, level, { nowMs, wanted: 50, click: true })
      level = result.level
      calls += result.granted
    }
    expect(calls / 10).toBeGreaterThanOrEqual(least)
    expect(calls / 10).toBeLessThanOrEqual(allowed)
  }
})

test('polling never takes the reserve for clicks', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 40_000 }), asks, (allowed, sequence) => {
      const plan = planBudget(allowed)
      let nowMs = 1_000_000_000_000
      let level = createFullLevel(plan, nowMs)
      for (const { afterMs, wanted } of sequence) {
        nowMs += afterMs
        level = takeTokens(plan, level, { nowMs, wanted, click: false }).level
      }
      expect(plan.reserve).toBeGreaterThanOrEqual(1)
      expect(takeTokens(plan, level, { nowMs, wanted: plan.reserve, click: true }).granted).toBe(plan.reserve)
    }),
  )
})

test('nextAtMs is the first time at which a call is allowed', () => {
  fc.assert(
    fc.property(callsPerHour, fc.integer({ min: 0, max: 200 }), fc.boolean(), (allowed, wanted, click) => {
      const plan = planBudget(allowed)
      const { level, nextAtMs } = takeTokens(plan, createFullLevel(plan, 5000), { nowMs: 5000, wanted, click })
      const at = (nowMs: number) => takeTokens(plan, level, { nowMs, wanted: 1, click }).granted
      if (nextAtMs === null) {
        expect(at(5000)).toBe(1)
        return
      }
      // Sums of fractions are right to the millisecond.
      expect(at(nextAtMs - 2)).toBe(0)
      expect(at(nextAtMs + 1)).toBe(1)
    }),
  )
})

test('a clock set back adds and removes no tokens, and does not stop the refill for longer than two minutes', () => {
  fc.assert(
    fc.property(callsPerHour, fc.integer({ min: 1, max: 1000 * hourMs }), (allowed, backMs) => {
      const plan = planBudget(allowed)
      const startMs = 10_000_000_000_000
      const drained = takeTokens(plan, createFullLevel(plan, startMs), {
        nowMs: startMs,
        wanted: 1e9,
        click: true,
      }).level
      const after = takeTokens(plan, drained, { nowMs: startMs - backMs, wanted: 1, click: true })
      expect(after).toMatchObject({ granted: 0, level: { tokens: drained.tokens } })
      const laterMs = startMs - backMs + 120_000 + Math.ceil(1 / plan.refillPerMs) + 1
      expect(takeTokens(plan, after.level, { nowMs: laterMs, wanted: 1, click: true }).granted).toBe(1)
    }),
  )
})

test('a clock jump refills at most one bucket', () => {
  const steps = fc.array(fc.record({ afterMs: fc.integer({ min: 0, max: 60_000 }), click: fc.boolean() }), {
    maxLength: 60,
  })
  const jumps = fc.array(fc.integer({ min: -100 * hourMs, max: 100 * hourMs }), { maxLength: 3 })
  fc.assert(
    fc.property(callsPerHour, steps, jumps, (allowed, sequence, jumpsMs) => {
      const plan = planBudget(allowed)
      let shownMs = 1_000_000_000_000
      let level = createFullLevel(plan, shownMs)
      // All within one true hour.
      const calls = sequence.map(({ afterMs, click }, place) => {
        shownMs += afterMs + (jumpsMs[place] ?? 0)
        const result = takeTokens(plan, level, { nowMs: shownMs, wanted: 500, click })
        level = result.level
        return result.granted
      })
      const most = allowed + jumpsMs.length * plan.capacity
      expect(calls.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(most)
    }),
  )
})

test('clock skew of a second between replicas adds no tokens', () => {
  const plan = planBudget(3600)
  let level = createFullLevel(plan, 0)
  let calls = 0
  for (let ms = 0; ms < hourMs; ms += 500) {
    const nowMs = ms % 1000 === 0 ? ms : ms + 1000
    const result = takeTokens(plan, level, { nowMs, wanted: 100, click: true })
    level = result.level
    calls += result.granted
  }
  expect(calls).toBeLessThanOrEqual(3600 + 1)
})

test('with a budget of 0 nothing is polled, and every click is allowed', () => {
  const plan = planBudget(0)
  const level = createFullLevel(plan, 0)
  expect(takeTokens(plan, level, { nowMs: 9, wanted: 7, click: false })).toEqual({ level, granted: 0, nextAtMs: null })
  expect(takeTokens(plan, level, { nowMs: 9, wanted: 7, click: true })).toEqual({ level, granted: 7, nextAtMs: null })
})
