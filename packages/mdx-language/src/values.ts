import type { ElementContent } from 'hast'

/** Any value of the language. None of them has a prototype that the language can reach. */
export type Value =
  | undefined
  | null
  | boolean
  | number
  | string
  | readonly Value[]
  | Fields
  | Callable
  | Markup
  | Unknown

/** An object. A map has no inherited names, so `constructor` and `__proto__` find nothing. */
export type Fields = ReadonlyMap<string, Value>

export type Callable = { kind: 'callable'; name: string; call: (args: readonly Value[]) => Value }

/** Elements. `isPlaced` is true once they are part of a tree, so that a second use copies them. */
export type Markup = { kind: 'markup'; nodes: readonly ElementContent[]; isPlaced: boolean }

/** The value of everything that the language cannot evaluate. `reason` completes "it has …". */
export type Unknown = { kind: 'unknown'; reason: string; isSpread?: true }

const maxReason = 120

export const unknown = (reason: string): Unknown => ({ kind: 'unknown', reason: reason.slice(0, maxReason) })

export const markup = (nodes: readonly ElementContent[]): Markup => ({ kind: 'markup', nodes, isPlaced: false })

export const callable = (name: string, call: Callable['call']): Callable => ({ kind: 'callable', name, call })

export const isList = (value: Value): value is readonly Value[] => Array.isArray(value)

export const isFields = (value: Value): value is Fields => value instanceof Map

const hasKind = (value: Value, kind: string) =>
  typeof value === 'object' && value !== null && !isList(value) && !isFields(value) && value.kind === kind

export const isCallable = (value: Value): value is Callable => hasKind(value, 'callable')

export const isMarkup = (value: Value): value is Markup => hasKind(value, 'markup')

export const isUnknown = (value: Value): value is Unknown => hasKind(value, 'unknown')

const refs = new WeakSet<Fields>()

/** A Vue ref: an object with a `value`, which templates read by the name of the ref. */
export const toRef = (value: Value): Fields => {
  const ref = new Map([['value', value]])
  refs.add(ref)
  return ref
}

export const isRef = (value: Value): value is Fields => isFields(value) && refs.has(value)

export const isPrimitive = (value: Value): value is string | number | boolean | null | undefined =>
  typeof value !== 'object' || value === null

const maxDepth = 100

export const toValue = (data: unknown, depth = 0): Value => {
  if (data === null || typeof data === 'string' || typeof data === 'number' || typeof data === 'boolean') return data
  if (typeof data !== 'object') return undefined
  if (depth > maxDepth) return unknown('data that is nested too deep')
  if (Array.isArray(data)) return data.map((item: unknown) => toValue(item, depth + 1))
  return new Map(Object.entries(data).map(([key, item]) => [key, toValue(item, depth + 1)]))
}
