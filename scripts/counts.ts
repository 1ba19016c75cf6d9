import { readFileSync } from 'node:fs'

/** Tests of one step. */
type Counts = { passed: number; failed: number }

/** A number somewhere in a report. Throws when it is not there. */
const numberAt = (json: unknown, ...path: string[]): number => {
  const found = path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    json,
  )
  if (typeof found !== 'number') throw new Error(`the report has no number at ${path.join('.')}`)
  return found
}

const reports = {
  vitest: (json: unknown): Counts => ({
    passed: numberAt(json, 'numPassedTests'),
    failed: numberAt(json, 'numFailedTests'),
  }),
  playwright: (json: unknown): Counts => ({
    passed: numberAt(json, 'stats', 'expected') + numberAt(json, 'stats', 'flaky'),
    failed: numberAt(json, 'stats', 'unexpected'),
  }),
}

/** Tool that wrote a JSON report. */
export type Reporter = keyof typeof reports

/**
 * Counts of a step: the tests of its report, or the step itself without one. A failed step counts at least one failure,
 * even when no test failed (a file that cannot be loaded, a leaked error). A runner without any test has failed.
 */
export const readCounts = (ok: boolean, report?: { by: Reporter; file: string }): Counts & { ok: boolean } => {
  if (report === undefined) return { ok, passed: ok ? 1 : 0, failed: ok ? 0 : 1 }
  let counts: Counts = { passed: 0, failed: 0 }
  try {
    counts = reports[report.by](JSON.parse(readFileSync(report.file, 'utf8')))
  } catch {
    // No report, or half of one: the runner did not get to its end.
    ok = false
  }
  const good = ok && counts.failed === 0 && counts.passed > 0
  return { ok: good, passed: counts.passed, failed: good ? 0 : Math.max(counts.failed, 1) }
}
