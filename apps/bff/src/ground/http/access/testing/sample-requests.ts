import type { Route } from '@docket/api-types/route'
import { otherRoutes, routes } from '@docket/api-types/routes'
import { z } from '@hono/zod-openapi'
import type { Ids } from './two-of-everything.ts'

type Schema = {
  type?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  format?: string
  pattern?: string
  minLength?: number
  minimum?: number
  exclusiveMinimum?: number
}

/** Field names that stand for an id with another name. */
const otherNames: Readonly<Record<string, string>> = {
  connection: 'connectionId',
  export: 'exportId',
  to: 'connectionId',
  against: 'exportId',
  replaces: 'exportId',
  key: 'projectId',
}

const findId = (name: string, ids: Ids): string | undefined => ids[otherNames[name] ?? name]

/** A version number that does not exist, so that nothing changes. */
const noVersion = 999

const sampleText = ({ format, allOf = [], minLength = 0, ...rest }: Schema): string => {
  const pattern = [rest, ...allOf].map((one) => one.pattern ?? '').join(' ')
  if (format === 'email') return 'sample@example.com'
  if (format === 'date') return '2099-01-01'
  if (format === 'uuid') return '00000000-0000-4000-8000-000000000000'
  if (pattern.includes('[0-9a-f]{40}')) return 'a'.repeat(40)
  if (pattern.includes('^\\/')) return '/nowhere'
  return 'sample'.padEnd(minLength, '-')
}

const sample = (schema: Schema, ids: Ids, name = ''): unknown => {
  const id = findId(name, ids)
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  const choice = schema.anyOf ?? schema.oneOf
  if (choice !== undefined) return sample(choice[0]!, ids, name)
  if (schema.type === 'array') return [sample(schema.items ?? {}, ids, name.replace(/s$/, ''))]
  if (schema.type === 'integer' || schema.type === 'number')
    return name === 'version' ? noVersion : (schema.minimum ?? (schema.exclusiveMinimum ?? 0) + 1)
  if (schema.type === 'boolean') return true
  if (schema.type === 'string') return id ?? sampleText(schema)
  return Object.fromEntries(
    Object.entries(schema.properties ?? {})
      .filter(([field]) => schema.required?.includes(field) || findId(field, ids) !== undefined)
      .map(([field, one]) => [field, sample(one, ids, field)]),
  )
}

const schemas = new WeakMap<z.ZodType, Schema>()
const toSchema = (schema: z.ZodType): Schema => {
  const known = schemas.get(schema) ?? (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema)
  schemas.set(schema, known)
  return known
}

/** A route of the contract. */
const findContract = (method: string, pattern: string): Route | undefined =>
  ({ ...routes, ...otherRoutes } as Record<string, Route | undefined>)[
    `${method} ${pattern.replaceAll(/:(\w+)/g, '{$1}')}`
  ]

/** Actions that a route may leave in the audit. */
export const listAudited = (route: string): readonly string[] => {
  const [method = '', pattern = ''] = route.split(' ')
  return [findContract(method, pattern)?.audit ?? []].flat()
}

/** Names of ids that a route takes, in its path, its query or its body. */
export const listIdNames = (route: string, ids: Ids): string[] => {
  const [method = '', pattern = ''] = route.split(' ')
  const { query, body } = findContract(method, pattern) ?? {}
  const fields = (schema?: z.ZodType) =>
    schema === undefined ? [] : [...JSON.stringify(toSchema(schema)).matchAll(/"(\w+)":\{/g)].map(([, name]) => name!)
  return [...pattern.matchAll(/:(\w+)/g)]
    .map(([, name]) => name!)
    .concat([...fields(query), ...fields(body)].filter((name) => findId(name, ids) !== undefined))
}

/**
 * A request for a route with `ids`: every id in its path, query and body is taken from them. `inBody` replaces the ids in the body. Throws
 * for a parameter that `ids` does not have, and for a body that the contract refuses.
 */
export const sampleRequest = (route: string, ids: Ids, inBody: Ids = ids) => {
  const [method = '', pattern = ''] = route.split(' ')
  const path = pattern.replaceAll(/:(\w+)/g, (_, name: string) => {
    const id = ids[name]
    if (id === undefined)
      throw new Error(`${route} has a parameter that no world knows: add ${name} to makeUnknownIds.`)
    return encodeURIComponent(id)
  })
  const contract = findContract(method, pattern)
  const query = contract?.query && (sample(toSchema(contract.query), inBody) as Record<string, unknown>)
  const search = Object.entries(query ?? {})
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&')
  const body = contract?.body && sample(toSchema(contract.body), inBody)
  return {
    route,
    method,
    path: search === '' ? path : `${path}?${search}`,
    body,
    fits: contract?.body?.safeParse(body).success ?? true,
  }
}
