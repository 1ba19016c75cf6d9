import { charge, spend } from './budget.ts'
import type { Run } from './run.ts'
import { isCallable, isFields, isList, isMarkup, isUnknown, unknown, type Unknown, type Value } from './values.ts'

/** Deepest value that has JSON. */
const maxDepth = 100

/** JSON of a value as `JSON.stringify` gives it. Unknown for what has none. */
const toJson = (value: Value, indent: Value, run: Run): string | undefined | Unknown => {
  let problem: Unknown | null = null
  const copy = (from: Value, depth: number): unknown => {
    spend(run.budget)
    if (isUnknown(from)) problem ??= from
    else if (isMarkup(from)) problem ??= unknown('elements as JSON')
    else if (depth > maxDepth) problem ??= unknown('JSON that is nested too deep')
    else if (isList(from)) return from.map((item) => copy(item, depth + 1))
    else if (isFields(from)) return Object.fromEntries([...from].map(([key, item]) => [key, copy(item, depth + 1)]))
    else if (!isCallable(from)) {
      charge(run.budget, typeof from === 'string' ? from.length : 1)
      return from
    }
    return undefined
  }
  const data = copy(value, 0)
  if (problem !== null) return problem
  const json = JSON.stringify(data, null, typeof indent === 'number' ? indent : undefined) as string | undefined
  charge(run.budget, json?.length ?? 0)
  return json
}

type Static = (args: readonly Value[], run: Run) => Value

/** Listed functions that encode text. */
export const encodings: Readonly<Record<string, Static>> = {
  'JSON.stringify': ([value, replacer, indent], run) =>
    replacer === undefined || replacer === null ? toJson(value, indent, run) : unknown('JSON with a replacer'),
  btoa: ([value], run) => {
    if (typeof value !== 'string' || /[^\0-\xff]/.test(value)) return unknown('Base64 of something else than text')
    charge(run.budget, 2 * value.length)
    return btoa(value)
  },
  encodeURIComponent: ([value], run) => {
    if (typeof value !== 'string' || !value.isWellFormed()) return unknown('an address from something else than text')
    charge(run.budget, 9 * value.length)
    return encodeURIComponent(value)
  },
}
