// Vitest runs this file before each file of tests; the modules it imports load once a process.

import { afterAll, expect } from 'vitest'
import { hashAtFullCost } from '#testing/hash-cost.ts'
import { killDockets } from '#testing/docket-process.ts'

const { Response: native } = globalThis

hashAtFullCost(false)

afterAll(() => {
  killDockets()
  // A server that replaces the global Response changes how all later ones in this process answer.
  expect(globalThis.Response).toBe(native)
})
