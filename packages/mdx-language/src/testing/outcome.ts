import type { ElementContent } from 'hast'
import { createBudget } from '#budget.ts'
import { readModule } from '#modules.ts'
import { parseSource } from '#parse-source.ts'
import { createRun, toNodes, type Host } from '#run.ts'
import { isCallable, isFields, isList, isMarkup, isUnknown, type Value } from '#values.ts'

/** What came of a program: its text, what must not be among its values, and what it cost. */
export type Outcome = {
  parsed: boolean
  text: string
  foreign: string[]
  steps: number
  ended: 'by itself' | 'by budget'
}

const steps = 20_000
const size = 50_000

/** Evaluates a module, calls every function it returns, and looks at each value for anything of the host. */
export const playProgram = (source: string, file = 'program.jsx'): Outcome => {
  const outcome: Outcome = { parsed: false, text: '', foreign: [], steps: 0, ended: 'by itself' }
  const budget = createBudget(steps, size)
  const seen = new Set<unknown>()
  const inspect = (value: Value, depth = 0): void => {
    if (depth > 20 || seen.size > 2_000 || (typeof value === 'object' && value !== null && seen.has(value))) return
    seen.add(value)
    const problem = findForeign(value)
    if (problem !== null) outcome.foreign.push(problem)
    else if (isList(value)) for (const item of value) inspect(item, depth + 1)
    else if (isFields(value)) for (const item of value.values()) inspect(item, depth + 1)
    else if (isCallable(value)) inspect(value.call([new Map([['children', 'x']])]), depth + 1)
  }
  const host: Host = {
    element: (name, props, children) => {
      for (const value of props.values()) inspect(value)
      return [{ type: 'element', tagName: name, properties: {}, children }]
    },
    hole: () => [{ type: 'element', tagName: 'hole', properties: {}, children: [] }],
  }
  const run = createRun(budget, host)
  let program
  try {
    program = parseSource(source, file)
  } catch {
    return outcome
  }
  outcome.parsed = true
  try {
    const { exports } = readModule([program], null, () => null, run)
    for (const value of exports.values()) inspect(value())
    outcome.text = toNodes(exports.get('default')?.(), run).map(toText).join('')
  } catch (error) {
    if (!(error instanceof Error) || error.constructor.name !== 'OutOfBudget') throw error
    outcome.ended = 'by budget'
  }
  outcome.steps = steps - budget.steps
  return outcome
}

/** Says why a value is none of the language; null for those that are. */
const findForeign = (value: unknown): string | null => {
  if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') return `a ${typeof value}`
  if (typeof value !== 'object' || value === null) return null
  const of: unknown = Object.getPrototypeOf(value)
  if (Array.isArray(value)) return of === Array.prototype ? null : 'a strange list'
  if (value instanceof Map) return of === Map.prototype ? null : 'a strange map'
  const isOwn = isCallable(value as Value) || isMarkup(value as Value) || isUnknown(value as Value)
  return isOwn && of === Object.prototype
    ? null
    : `an object of the host (${Object.keys(value).slice(0, 3).join(', ')})`
}

const toText = (node: ElementContent): string =>
  node.type === 'text' ? node.value : node.type === 'element' ? node.children.map(toText).join('') : ''
