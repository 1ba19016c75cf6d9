import type { Expression, MemberExpression, Pattern, PrivateIdentifier, Property } from 'estree'
import { spendSteps, chargeSize } from './budget.ts'
import type { Run } from './run.ts'
import { evaluateOnce, type Scope } from './scope.ts'
import { isFields, isList, isUnknown, unknown, type Value } from './values.ts'

export const bindPattern = (pattern: Pattern, value: () => Value, scope: Scope, run: Run): void => {
  spendSteps(run.budget)
  const inner = (part: Pattern, read: () => Value) => bindPattern(part, evaluateOnce('a pattern', read), scope, run)
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- no other pattern binds names
  switch (pattern.type) {
    case 'Identifier':
      scope.names.set(pattern.name, value)
      break
    case 'AssignmentPattern':
      inner(pattern.left, () => {
        const given = value()
        return given === undefined ? run.evaluate(pattern.right, scope) : given
      })
      break
    case 'ObjectPattern': {
      const taken = pattern.properties.flatMap((property) =>
        property.type === 'Property' ? [readKey(property) ?? ''] : [],
      )
      for (const property of pattern.properties) {
        if (property.type === 'RestElement') inner(property.argument, () => omitFields(value(), taken, run))
        else inner(property.value, () => readMember(value(), readKey(property)))
      }
      break
    }
    case 'ArrayPattern':
      for (const [index, part] of pattern.elements.entries()) {
        if (part?.type === 'RestElement')
          inner(part.argument, () => {
            const list = value()
            return isList(list) ? list.slice(index) : isUnknown(list) ? list : unknown('the rest of no list')
          })
        else if (part) inner(part, () => readMember(value(), index))
      }
      break
    default:
      break
  }
}

const omitFields = (value: Value, taken: readonly string[], run: Run): Value => {
  if (!isFields(value)) return isUnknown(value) ? value : unknown('the rest of no object')
  chargeSize(run.budget, value.size)
  return new Map([...value].filter(([key]) => !taken.includes(key)))
}

/** Literal name of a property; null for a computed name. */
export const readKey = ({ key, computed }: Pick<Property, 'computed'> & { key: Expression | PrivateIdentifier }) =>
  computed ? null : key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : null

/** Reads a field, an item, or a length. Other members do not exist. */
export const readMember = (owner: Value, key: Value): Value => {
  if (isUnknown(owner)) return owner
  if (isUnknown(key)) return key
  if (typeof key !== 'string' && typeof key !== 'number') return unknown('a member without a name')
  if (isFields(owner)) return owner.get(String(key))
  if (isList(owner) || typeof owner === 'string') {
    if (key === 'length') return owner.length
    const index = typeof key === 'number' ? key : /^\d{1,9}$/.test(key) ? Number(key) : Number.NaN
    if (Number.isInteger(index)) return index >= 0 && index < owner.length ? owner[index] : undefined
  }
  return unknown(owner === null || owner === undefined ? `${key} of nothing` : `.${key}`)
}

/** Name of a function or component as written, such as `Object.keys`; null for anything else. */
export const readName = (node: Expression | MemberExpression['object'], depth = 0): string | null => {
  if (node.type === 'Identifier') return node.name
  if (node.type !== 'MemberExpression' || node.computed || node.property.type !== 'Identifier' || depth > 5) return null
  const owner = readName(node.object, depth + 1)
  return owner === null ? null : `${owner}.${node.property.name}`
}
