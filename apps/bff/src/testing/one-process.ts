// Vitest runs this file before each test file; the modules that it imports are loaded once per process.

import { afterAll, expect } from 'vitest'
import { hashAtFullCost } from '#testing/hash-cost.ts'
import { killDockets } from '#testing/docket-process.ts'

const { Response: native } = globalThis

hashAtFullCost(false)

afterAll(() => {
  killDockets()
  // A server that replaces the global `Response` would affect all later servers in this process.
  expect(globalThis.Response).toBe(native)
})
