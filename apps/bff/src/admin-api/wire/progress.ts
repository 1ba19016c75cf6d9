import type { StaticExportSnapshot } from '#admin-api/admin-api.ts'
import { toNumber } from './wire-values.ts'

type Progress = StaticExportSnapshot['progress']

// A little over the end is rounding; more is not a percentage, and a full bar on a running job would be a lie.
const percent = (value: number): Progress =>
  value >= 0 && value < 101 ? { value: Math.min(Math.abs(value), 100), scale: 'percent' } : null

const firstNumber = (value: object, names: readonly string[]): number | null => {
  for (const name of names) {
    const number = Object.hasOwn(value, name) ? toNumber((value as Record<string, unknown>)[name]) : null
    if (number !== null) return number
  }
  return null
}

const ofObject = (value: object): Progress => {
  const stated = firstNumber(value, ['percent', 'percentage'])
  if (stated !== null) return percent(stated)
  const done = firstNumber(value, ['done', 'completed', 'current', 'processed'])
  const total = firstNumber(value, ['total'])
  return done === null || total === null || total <= 0 ? null : percent((100 * done) / total)
}

/**
 * `progress` in every shape seen (its type is not shown, Admin API §2.3): a number, numeric text with or without `%`, or an object with
 * a percentage or with done and total. Anything else, negative or clearly over 100 is null, so the bar is indeterminate.
 */
export const toProgress = (value: unknown): Progress => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return ofObject(value)
  if (typeof value === 'string' && value.trim().endsWith('%')) {
    const number = toNumber(value.trim().slice(0, -1))
    return number === null ? null : percent(number)
  }
  const number = toNumber(value)
  if (number === null) return null
  return number >= 0 && number <= 1 ? { value: Math.abs(number), scale: 'ambiguous' } : percent(number)
}
