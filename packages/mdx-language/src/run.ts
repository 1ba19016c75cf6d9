import type { Expression } from 'estree'
import type { ElementContent } from 'hast'
import { chargeSize, OutOfBudget, spendSteps, type Budget } from './budget.ts'
import type { Scope } from './scope.ts'
import { isCallable, isFields, isList, isMarkup, isUnknown, unknown } from './values.ts'
import type { Fields, Unknown, Value } from './values.ts'

export type Host = {
  element: (name: string, props: Fields, children: ElementContent[]) => ElementContent[]
  /** Creates elements in place of something that cannot be evaluated. */
  hole: (reason: string) => ElementContent[]
}

export type Run = {
  budget: Budget
  host: Host
  depth: number
  /** Functions and files that are being evaluated. None can be entered twice. */
  active: Map<unknown, string>
  /** Held here, so that the files of this package need no circular imports. */
  evaluate: (node: Expression, scope: Scope) => Value
  /** Configurations only: an unlisted call is its first argument, and `unknown || x` is `x`. */
  isLenient: boolean
}

/** Runs `work`. If `what` is already running, returns an unknown value that names the cycle. */
export const runUnlessActive = <T>(run: Run, what: unknown, name: string, work: () => T): T | Unknown => {
  if (run.active.has(what)) {
    const names = [...run.active.values()]
    const from = [...run.active.keys()].indexOf(what)
    return unknown(`a cycle: ${[...names.slice(from), name].join(' → ')}`)
  }
  run.active.set(what, name)
  try {
    return work()
  } finally {
    run.active.delete(what)
  }
}

export const runWithinBudget = <T>(work: () => T, instead: (reason: string) => T): T => {
  try {
    return work()
  } catch (error) {
    if (error instanceof OutOfBudget) return instead(error.message)
    throw error
  }
}

/** Turns a value into elements. Values without text become holes. */
export const toNodes = (value: Value, run: Run): ElementContent[] => {
  spendSteps(run.budget)
  if (value === undefined || value === null || typeof value === 'boolean' || value === '') return []
  if (typeof value === 'string' || typeof value === 'number') {
    const text = String(value)
    chargeSize(run.budget, text.length)
    return [{ type: 'text', value: text }]
  }
  if (isList(value)) return value.flatMap((item) => toNodes(item, run))
  if (isMarkup(value)) {
    if (value.isPlaced) return value.nodes.map((node) => copyNode(node, run))
    value.isPlaced = true
    return [...value.nodes]
  }
  if (isUnknown(value)) return run.host.hole(value.reason)
  return run.host.hole(isCallable(value) ? `the function ${value.name} as text` : 'an object as text')
}

const copyNode = (node: ElementContent, run: Run): ElementContent => {
  spendSteps(run.budget)
  chargeSize(run.budget, 'value' in node ? node.value.length : 1)
  return node.type === 'element'
    ? { ...node, properties: { ...node.properties }, children: node.children.map((child) => copyNode(child, run)) }
    : { ...node }
}

export const toText = (value: Value, run: Run): string | Unknown => {
  spendSteps(run.budget)
  if (isUnknown(value)) return value
  if (isList(value)) return joinTexts(value, ',', run)
  if (isFields(value)) return unknown('an object as text')
  if (isMarkup(value)) return unknown('elements as text')
  if (isCallable(value)) return unknown(`the function ${value.name} as text`)
  const text = String(value)
  chargeSize(run.budget, text.length)
  return text
}

/** Joins values as `join` does: null and undefined are empty. */
export const joinTexts = (items: readonly Value[], separator: string, run: Run): string | Unknown => {
  const texts: string[] = []
  for (const item of items) {
    const text = item === null || item === undefined ? '' : toText(item, run)
    if (typeof text !== 'string') return text
    texts.push(text)
  }
  chargeSize(run.budget, separator.length * texts.length)
  return texts.join(separator)
}
