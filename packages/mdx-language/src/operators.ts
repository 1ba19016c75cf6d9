import type { BinaryOperator, UnaryOperator } from 'estree'
import { chargeSize } from './budget.ts'
import { toText, type Run } from './run.ts'
import { isFields, isList, isPrimitive, isUnknown, unknown, type Value } from './values.ts'

type Primitive = string | number | boolean | null | undefined

/** Truthiness as in JavaScript. Call it for known values only. */
export const isTrue = (value: Value): boolean => !isPrimitive(value) || Boolean(value)

const arithmetic: Readonly<Record<string, (a: Primitive, b: Primitive) => Value>> = {
  '-': (a, b) => Number(a) - Number(b),
  '*': (a, b) => Number(a) * Number(b),
  '/': (a, b) => Number(a) / Number(b),
  '%': (a, b) => Number(a) % Number(b),
  '**': (a, b) => Number(a) ** Number(b),
  '<': (a, b) => (typeof a === 'string' && typeof b === 'string' ? a < b : Number(a) < Number(b)),
  '>': (a, b) => (typeof a === 'string' && typeof b === 'string' ? a > b : Number(a) > Number(b)),
  '<=': (a, b) => (typeof a === 'string' && typeof b === 'string' ? a <= b : Number(a) <= Number(b)),
  '>=': (a, b) => (typeof a === 'string' && typeof b === 'string' ? a >= b : Number(a) >= Number(b)),
  // oxlint-disable-next-line eqeqeq -- the source uses this operator
  '==': (a, b) => a == b,
  // oxlint-disable-next-line eqeqeq -- the source uses this operator
  '!=': (a, b) => a != b,
}

/** Applies a binary operator. The only operators for objects are `===` and `in`. */
export const applyBinary = (operator: BinaryOperator, a: Value, b: Value, run: Run): Value => {
  if (isUnknown(a)) return a
  if (isUnknown(b)) return b
  if (operator === '===') return a === b
  if (operator === '!==') return a !== b
  if (operator === '+') return addValues(a, b, run)
  if (operator === 'in' && isFields(b) && isPrimitive(a)) return b.has(String(a))
  const apply = Object.hasOwn(arithmetic, operator) ? arithmetic[operator] : undefined
  if (!apply) return unknown(`the operator ${operator}`)
  if (isPrimitive(a) && isPrimitive(b)) return apply(a, b)
  // `x == null` checks whether a value exists.
  if (a === null || a === undefined || b === null || b === undefined) {
    if (operator === '==') return false
    if (operator === '!=') return true
  }
  return unknown(`the operator ${operator} on objects`)
}

const addValues = (a: Value, b: Value, run: Run): Value => {
  if (isPrimitive(a) && isPrimitive(b) && typeof a !== 'string' && typeof b !== 'string') return Number(a) + Number(b)
  const [left, right] = [toText(a, run), toText(b, run)]
  if (typeof left !== 'string') return left
  if (typeof right !== 'string') return right
  chargeSize(run.budget, left.length + right.length)
  return left + right
}

export const applyUnary = (operator: UnaryOperator, value: Value): Value => {
  if (isUnknown(value)) return value
  if (operator === '!') return !isTrue(value)
  if (operator === 'void') return undefined
  if (operator === 'typeof') return readType(value)
  if ((operator === '-' || operator === '+') && isPrimitive(value))
    return operator === '-' ? -Number(value) : Number(value)
  return unknown(`the operator ${operator}`)
}

const readType = (value: Value): string =>
  isPrimitive(value)
    ? typeof value
    : isList(value) || isFields(value) || !('kind' in value) || value.kind !== 'callable'
      ? 'object'
      : 'function'
