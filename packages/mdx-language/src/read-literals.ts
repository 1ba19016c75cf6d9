import type { Program } from 'estree'
import { chargeSize, createBudget, spendSteps } from './budget.ts'
import { createRun } from './evaluate.ts'
import { readModule, toNamespace, type Resolve } from './modules.ts'
import type { Run } from './run.ts'
import { createScope } from './scope.ts'
import { callable, isCallable, isFields, isList, isMarkup, isUnknown, unknown, type Value } from './values.ts'

/** A parsed module, and the files of its local imports by specifier. */
export type LiteralModule = { program: Program; files: ReadonlyMap<string, string> }

const maxDepth = 80
const host = { element: () => [], hole: () => [] }

/**
 * Reads the default export of a module as data, without running it. An unlisted call becomes its first known argument, a function its
 * result. `unread` gets the place and the reason of each value that is no data. Throws `OutOfBudget`.
 */
export const readLiterals = (
  file: string,
  modules: ReadonlyMap<string, LiteralModule>,
  unread: (place: string, reason: string) => void = () => undefined,
): unknown => {
  const run = createRun(createBudget(), host, true)
  const loaded = new Map<string, Map<string, () => Value>>()
  const load = (name: string): ReadonlyMap<string, () => Value> | null => {
    const known = loaded.get(name)
    const module = modules.get(name)
    if (known || !module) return known ?? null
    const exports = new Map<string, () => Value>()
    // Registered before it is read, so that cycles end.
    loaded.set(name, exports)
    const resolve: Resolve = (specifier) => load(module.files.get(specifier) ?? '')
    const outer = createScope(null)
    const require = callable('require', ([specifier]) => {
      const found = typeof specifier === 'string' ? resolve(specifier) : null
      return found ? (found.get('default')?.() ?? toNamespace(found)) : unknown('a require of something else')
    })
    outer.names.set('require', () => require)
    for (const [key, value] of readModule([module.program], outer, resolve, run).exports) exports.set(key, value)
    return exports
  }
  return toData(load(file)?.get('default')?.(), { run, unread }, [])
}

type Reading = { run: Run; unread: ((place: string, reason: string) => void) | null }

const toData = (value: Value, reading: Reading, place: readonly string[]): unknown => {
  const { run, unread } = reading
  spendSteps(run.budget)
  if (place.length > maxDepth || isUnknown(value) || isMarkup(value)) {
    unread?.(place.filter(Boolean).join('.'), isUnknown(value) ? value.reason : 'it is nested too deep')
    return undefined
  }
  // A function is often a hook of the build.
  if (isCallable(value)) {
    const isWhole = place.length === 0
    return toData(value.call([]), { run, unread: isWhole ? unread : null }, isWhole ? [''] : [...place, ''])
  }
  const isLostSpread = (item: Value) => {
    const isLost = isUnknown(item) && item.isSpread === true
    if (isLost) unread?.(`a part of ${place.filter(Boolean).join('.') || 'the configuration'}`, item.reason)
    return isLost
  }
  if (isList(value))
    return value.flatMap((item, index) =>
      isLostSpread(item) ? [] : [toData(item, reading, [...place, String(index)])],
    )
  if (isFields(value)) {
    const known = [...value].filter(([, item]) => !isLostSpread(item))
    return Object.fromEntries(known.map(([key, item]) => [key, toData(item, reading, [...place, key])]))
  }
  if (typeof value === 'string') chargeSize(run.budget, value.length)
  return value
}
