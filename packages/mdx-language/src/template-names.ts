import type { Scope } from './scope.ts'
import type { Value } from './values.ts'

/** Field of the props of a component with its slots: functions from the props of a slot to elements. */
export const slotsKey = '$slots'

/** Name of a component or attribute without the marks that HTML cannot keep. */
export const toPlainName = (name: string): string => name.replace(/^x-/, '').replaceAll('-', '').toLowerCase()

/** Names of components in a scope, as a tag has them: an HTML parser keeps no capitals. */
const components = new WeakMap<Scope, ReadonlyMap<string, () => Value>>()

const listComponents = (scope: Scope) => {
  const known = components.get(scope)
  if (known) return known
  const capitals = [...scope.names].filter(([key]) => /^[A-Z]/.test(key))
  const listed = new Map(capitals.map(([key, value]) => [toPlainName(key), value]))
  components.set(scope, listed)
  return listed
}

/** Component of a tag, or undefined. */
export const findComponent = (name: string, scope: Scope): Value => {
  for (let at: Scope | null = scope; at !== null; at = at.outer) {
    const value = at.names.size > 0 ? listComponents(at).get(name) : undefined
    if (value !== undefined) return value()
  }
  return undefined
}
