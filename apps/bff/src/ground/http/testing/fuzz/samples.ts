import { randomUUID } from 'node:crypto'
import type { Draws } from './random.ts'

type Schema = {
  type?: string | string[]
  format?: string
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  minimum?: number
  minLength?: number
}

/** One parameter of a route, as OpenAPI describes it. */
export type Parameter = { name: string; in: string; schema?: Schema }
/** One route, as OpenAPI describes it. */
export type Described = { parameters?: Parameter[]; requestBody?: { content?: Record<string, { schema?: Schema }> } }

const samplesByFormat: Record<string, () => string> = {
  uuid: randomUUID,
  email: () => `somebody.${randomUUID()}@example.com`,
  'date-time': () => new Date().toISOString(),
  uri: () => 'https://docs.example.com/',
}

/** A value that fits a schema, so that a mutation of it passes many checks. `known` gives values by name, such as ids of records. */
export const sample = (
  schema: Schema | undefined,
  draws: Draws,
  known: Readonly<Record<string, readonly unknown[]>>,
  name = '',
): unknown => {
  const values = known[name]
  if (values !== undefined && values.length > 0) return draws.pick(values)
  const { type, format, properties, items } = schema ?? {}
  const choices = schema?.anyOf ?? schema?.oneOf
  if (schema?.const !== undefined) return schema.const
  if (schema?.enum !== undefined) return draws.pick(schema.enum)
  if (choices !== undefined) return sample(draws.pick(choices), draws, known, name)
  const kind = Array.isArray(type) ? draws.pick(type) : type
  if (kind === 'object' || properties !== undefined || schema?.allOf !== undefined)
    return Object.fromEntries(
      [schema ?? {}, ...(schema?.allOf ?? [])]
        .flatMap((part) => Object.entries(part.properties ?? {}))
        .filter(() => !draws.once(5))
        .map(([field, fieldSchema]) => [field, sample(fieldSchema, draws, known, field)]),
    )
  if (kind === 'array') return Array.from({ length: 1 + draws.below(3) }, () => sample(items, draws, known, name))
  if (kind === 'boolean') return draws.once(2)
  if (kind === 'integer' || kind === 'number') return (schema?.minimum ?? 0) + draws.below(50)
  if (kind === 'null') return null
  return samplesByFormat[format ?? '']?.() ?? 'a perfectly ordinary text'.padEnd(schema?.minLength ?? 0, 'x')
}
