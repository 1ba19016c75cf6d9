import { chargeSize, createBudget, spendSteps } from './budget.ts'
import { readModule } from './modules.ts'
import { parseSource } from './parse-source.ts'
import { createRun, runWithinBudget, type Run } from './run.ts'
import { isCallable, isFields, isList, isMarkup, isUnknown, type Value } from './values.ts'

const maxDepth = 80
const host = { element: () => [], hole: () => [] }

/** Reads a module's default export as data, without running it. An unlisted call becomes its first known argument, a function its result. Null if invalid. */
export const readLiterals = (source: string): unknown => {
  try {
    const run = createRun(createBudget(), host, true)
    const program = parseSource(source, 'config.ts')
    const { exports } = readModule([program], null, () => null, run)
    return runWithinBudget(
      () => toData(exports.get('default')?.(), run),
      () => undefined,
    )
  } catch {
    return null
  }
}

const toData = (value: Value, run: Run, depth = 0): unknown => {
  spendSteps(run.budget)
  if (depth > maxDepth || isUnknown(value) || isMarkup(value)) return undefined
  if (isCallable(value)) return toData(value.call([]), run, depth + 1)
  if (isList(value)) return value.map((item) => toData(item, run, depth + 1))
  if (isFields(value)) return Object.fromEntries([...value].map(([key, item]) => [key, toData(item, run, depth + 1)]))
  if (typeof value === 'string') chargeSize(run.budget, value.length)
  return value
}
