import { toLine, toText } from '@docket/sources/text'
import { asData, isData, asList, type Data } from '#site/data.ts'
import { apiLimits } from '#openapi/limits.ts'
import { readReferenceName, type Resolve } from '#openapi/reading/references.ts'
import { fillWording, type Words } from '#site/words.ts'
import type { Note } from '#markdown/page-notes.ts'

/** Resolved schema, with its `allOf` merged. */
export type Schema = {
  /** References that led here; a repeated one is a cycle. */
  names: readonly string[]
  name: string | null
  problem: string | null
  types: readonly string[]
  isNullable: boolean
  properties: ReadonlyMap<string, unknown>
  required: ReadonlySet<string>
  variants: { word: 'oneOf' | 'anyOf'; schemas: readonly unknown[] } | null
  items: unknown
  values: unknown
  data: Data
}

export const createPageContext = (resolve: Resolve, note: Note, words: Words) => {
  const reported = new Set<string>()
  return {
    note,
    words,
    known: new Map<unknown, Schema>(),
    schemas: { left: apiLimits.schemas },
    /** The first items of a list. A remark names the others. */
    take: <T>(items: readonly T[], max: number, what: string): readonly T[] => {
      if (items.length > max) note('left-out', `${what} after the first ${max}`)
      return items.slice(0, max)
    },
    resolve: (value: unknown) => {
      const resolved = resolve(value)
      if (resolved.problem !== null && !reported.has(resolved.problem) && reported.size < 20) {
        reported.add(resolved.problem)
        note('not-understood', `a reference: ${resolved.problem}`)
      }
      return resolved
    },
  }
}

export type PageContext = ReturnType<typeof createPageContext>

const maxMerge = 8

/** Reads a schema of any shape, once per page. An invalid schema is read as one that accepts anything. */
export const readSchema = (value: unknown, context: PageContext): Schema => {
  const known = context.known.get(value)
  if (known) return known
  const schema = resolveSchema(value, context)
  context.known.set(value, schema)
  return schema
}

const resolveSchema = (value: unknown, context: PageContext): Schema => {
  const { names, problem } = context.resolve(value)
  const name = names[0] === undefined ? null : toLine(readReferenceName(names[0]), 80)
  const merged = mergeSchema(value, context, new Set(), 0)
  const { data } = merged
  const types = readTypes(data, merged.properties.size > 0)
  const others = data['additionalProperties']
  const word = Array.isArray(data['oneOf']) ? 'oneOf' : 'anyOf'
  const all = asList(data['oneOf'] ?? data['anyOf'])
  const variants = all.filter((variant) => asData(variant)['type'] !== 'null')
  const schemas = context.take(variants, apiLimits.items, 'variants of a schema')
  return {
    names: [...new Set([...names, ...merged.names])],
    name,
    problem,
    types: types.filter((type) => type !== 'null'),
    isNullable: data['nullable'] === true || types.includes('null') || all.length > asList(schemas).length,
    properties: merged.properties,
    required: merged.required,
    variants: schemas.length > 0 ? { word, schemas } : null,
    items: data['items'] ?? data['prefixItems'],
    values: isData(others) ? others : others === true ? {} : undefined,
    data,
  }
}

type Merged = { data: Data; names: string[]; properties: Map<string, unknown>; required: Set<string> }

const mergeSchema = (value: unknown, context: PageContext, visited: Set<unknown>, depth: number): Merged => {
  const { value: found, names } = context.resolve(value)
  const merged: Merged = { data: asData(found), names: [...names], properties: new Map(), required: new Set() }
  const key = names.at(-1) ?? found
  if (!isData(found) || depth > maxMerge || visited.has(key)) return merged
  visited.add(key)
  for (const part of context.take(asList(found['allOf']), apiLimits.items, 'parts of a schema')) {
    const inner = mergeSchema(part, context, visited, depth + 1)
    merged.data = { ...inner.data, ...merged.data }
    merged.names.push(...inner.names)
    if (merged.properties.size > apiLimits.schemas) continue
    for (const [property, schema] of inner.properties) merged.properties.set(property, schema)
    for (const property of inner.required) merged.required.add(property)
  }
  for (const [property, schema] of Object.entries(asData(found['properties'])).slice(0, apiLimits.schemas + 1))
    merged.properties.set(property, schema)
  for (const property of asList(found['required'])) if (typeof property === 'string') merged.required.add(property)
  return merged
}

const readTypes = (data: Data, hasProperties: boolean): string[] => {
  const declared = Array.isArray(data['type']) ? asList(data['type']) : [data['type']]
  const types = declared.flatMap((type) => (typeof type === 'string' ? [toLine(type, 40) ?? ''] : [])).slice(0, 8)
  if (types.length > 0) return types
  if (hasProperties || isData(data['additionalProperties'])) return ['object']
  return data['items'] === undefined ? [] : ['array']
}

/** `array of Pet`, `string (date-time)`, `integer or null`. */
export const describeType = (schema: Schema, context: PageContext, depth = 0): string => {
  const { types, data, items, values, name, isNullable, variants } = schema
  const format = toLine(data['format'], 40)
  const { api } = context.words
  const inside = (text: string, inner: unknown) =>
    fillWording(context.words, text, { type: describeType(readSchema(inner, context), context, depth + 1) })
  const words = types.map((type) => {
    if (type === 'array' && isData(items) && depth < 3) return inside(api.arrayOf, items)
    if (type === 'object' && values !== undefined && schema.properties.size === 0 && depth < 3)
      return inside(api.mapOf, values)
    if (type === 'object' && name) return name
    return format && type !== 'object' && type !== 'array' ? `${type} (${format})` : type
  })
  const one = words.join(api.or) || (variants ? (name ?? api.severalTypes) : data['enum'] ? api.value : api.any)
  return isNullable ? `${one}${api.or}null` : one
}

const limits = [
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
] as const

export const describeConstraints = (data: Data, { api }: Words): string[] => [
  ...limits.flatMap((key) => (typeof data[key] === 'number' ? [`${api[key]}: ${data[key]}`] : [])),
  ...(data['uniqueItems'] === true ? [api.uniqueItems] : []),
  ...(toText(data['pattern']) ? [`${api.pattern}: ${toLine(data['pattern'], 200)}`] : []),
]
