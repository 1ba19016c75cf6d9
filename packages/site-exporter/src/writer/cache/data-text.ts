import { createHash } from 'node:crypto'

export class NotData extends Error {}

/** Text of plain data: equal for equal data. Maps, sets and bytes count as data. Throws `NotData` for anything else. */
export const toDataText = (value: unknown): string => {
  try {
    return JSON.stringify(value, asData) ?? 'undefined'
  } catch (error) {
    throw error instanceof NotData ? error : new NotData('cyclic data')
  }
}

/** Receives values before `toJSON`, which is slow for bytes. */
function asData(this: Record<string, unknown>, key: string, converted: unknown): unknown {
  const value = this[key]
  if (typeof value === 'function' || typeof value === 'symbol') throw new NotData(`a ${typeof value}`)
  if (value instanceof Map) return { map: [...value] }
  if (value instanceof Set) return { set: [...value] }
  if (value instanceof Uint8Array) return { bytes: toDigest(value) }
  return converted
}

/** SHA-256, shortened to a length that suffices for file names and comparisons. */
export const toDigest = (...parts: readonly (string | Uint8Array)[]): string => {
  const hash = createHash('sha256')
  // The lengths keep different divisions of the same text apart.
  for (const part of parts) hash.update(`${part.length}\n`).update(part)
  return hash.digest('hex').slice(0, 40)
}
