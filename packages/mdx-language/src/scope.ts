import { unknown, type Value } from './values.ts'

export type Scope = { names: Map<string, () => Value>; outer: Scope | null }

/** Name of the function that `import(…)` calls. No source can write it. */
export const importName = 'import()'

export const createScope = (outer: Scope | null): Scope => ({ names: new Map(), outer })

export const findName = (scope: Scope, name: string): (() => Value) | null => {
  for (let at: Scope | null = scope; at !== null; at = at.outer) {
    const value = at.names.get(name)
    if (value !== undefined) return value
  }
  return null
}

/** Evaluates a value once. A value that depends on itself is a cycle. */
export const evaluateOnce = (name: string, work: () => Value): (() => Value) => {
  let state: 'new' | 'running' | 'known' = 'new'
  // Stays set if the budget ends first.
  let value: Value = unknown(name)
  return () => {
    if (state === 'running') return unknown(`a cycle: ${name}`)
    if (state === 'new') {
      state = 'running'
      try {
        value = work()
      } finally {
        state = 'known'
      }
    }
    return value
  }
}
