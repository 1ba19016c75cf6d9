import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Route } from './ground/route.ts'
import { routes } from './routes.ts'

// The contract of the build before. Delete the file and run this test to write it anew: once a release, never to make a change pass.
const file = join(import.meta.dirname, 'earlier-build.txt')

type Schema = {
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema | boolean
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  additionalProperties?: Schema | boolean
  enum?: unknown[]
  const?: unknown
}

const isSchema = (schema: Schema | boolean | undefined): schema is Schema => typeof schema === 'object'

/** One line for each field, `?` behind an optional one, and for each value of a choice. */
const listFields = (schema: Schema, path: string): string[] => [
  ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    `${path}.${name}${schema.required?.includes(name) === true ? '' : '?'}`,
    ...listFields(field, `${path}.${name}`),
  ]),
  ...(isSchema(schema.items) ? listFields(schema.items, `${path}.[]`) : []),
  ...(isSchema(schema.additionalProperties) ? listFields(schema.additionalProperties, `${path}.*`) : []),
  ...[schema.anyOf, schema.oneOf, schema.allOf].flatMap((all) => (all ?? []).flatMap((one) => listFields(one, path))),
  ...[...(schema.enum ?? []), ...(schema.const === undefined ? [] : [schema.const])].map(
    (value) => `${path}=${String(value)}`,
  ),
]

const listContract = (): string[] =>
  Object.entries<Route>(routes).flatMap(([route, { query, body, response }]) => {
    const fields = Object.entries({ query, body, response }).flatMap(([part, schema]) => {
      if (schema === undefined) return []
      const io = part === 'response' ? 'output' : 'input'
      const json = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Schema
      return listFields(json, `${route} ${part}`).filter((line) => part !== 'response' || !line.includes('='))
    })
    return [route, ...new Set(fields)]
  })

const today = listContract()
if (!existsSync(file)) writeFileSync(file, `${today.join('\n')}\n`)
const earlier = new Set(readFileSync(file, 'utf8').trimEnd().split('\n'))

const isRequired = (line: string) => / (body|query|response)\S*[^?]$/.test(line) && !line.includes('=')
/** True for a field of something that the build before had. */
const isOfEarlier = (line: string) => {
  const parent = line.slice(0, line.lastIndexOf('.')).replace(/(\.(\[\]|\*))+$/, '')
  return earlier.has(/ (body|query|response)$/.test(parent) ? parent.replace(/ \w+$/, '') : parent)
}

test('a page of the previous build finds every route and every field that it reads', () => {
  const now = new Set(today)
  expect([...earlier].filter((line) => line.includes(' response') && isRequired(line) && !now.has(line))).toEqual([])
  expect([...earlier].filter((line) => !/ (body|query|response)/.test(line) && !now.has(line))).toEqual([])
})

test('the server accepts the requests of a page of the previous build: new fields are optional, and old values remain valid', () => {
  const sent = today.filter((line) => / (body|query)/.test(line))
  expect(sent.filter((line) => isRequired(line) && isOfEarlier(line) && !earlier.has(line))).toEqual([])
  const now = new Set(today)
  const [values, fields] = [[...earlier].filter((line) => line.includes('=')), now]
  const gone = values.filter((line) => {
    const field = line.slice(0, line.indexOf('='))
    return !fields.has(line) && (fields.has(field) || fields.has(`${field}?`))
  })
  expect(gone).toEqual([])
})

test('a page of this build can read responses of the previous build: new response fields are optional', () => {
  const read = today.filter((line) => line.includes(' response') && isRequired(line))
  expect(read.filter((line) => isOfEarlier(line) && !earlier.has(line))).toEqual([])
})
