import { clipValue, asData, isData } from '#site/data.ts'
import type { Parameter } from '#openapi/page/parameters.ts'
import type { Scheme } from '#openapi/page/security.ts'
import type { ApiOperation } from '#openapi/reading/api-document.ts'

export type Call = {
  base: string
  parameters: readonly Parameter[]
  schemes: readonly Scheme[]
  body: { mediaType: string; example: unknown } | null
}

export type SampleRequest = {
  method: string
  /** True when no server is known. Samples then put a variable before `url`. */
  isOpen: boolean
  url: string
  /** Name and password of HTTP Basic, or null. */
  user: string | null
  /** All headers but `Content-Type`. */
  headers: readonly (readonly [name: string, value: string])[]
  body: SampleBody | null
}

/** Body of a request. `file`: a binary body without an example. */
export type SampleBody = { mediaType: string } & (
  | { kind: 'json'; value: unknown }
  | { kind: 'form' | 'multipart'; fields: readonly (readonly [name: string, value: string])[] }
  | { kind: 'text'; text: string }
  | { kind: 'file' }
)

/** Builds the example request of an operation from required parameters and the first way to sign in. */
export const buildRequest = (
  { method, path }: ApiOperation,
  { base, parameters, schemes, body }: Call,
): SampleRequest => {
  const listRequired = (place: Parameter['place']) =>
    parameters.filter((parameter) => parameter.place === place && parameter.isRequired)
  const filled = listRequired('path').reduce(
    (text, parameter) => {
      const example = readExampleText(parameter)
      return example === null ? text : text.replaceAll(`{${parameter.name}}`, () => encodeURIComponent(example))
    },
    path.slice(0, 500).replace(/[\s\p{Cc}]/gu, '%20'),
  )
  const query = [
    ...listRequired('query').map(
      (parameter) =>
        `${encodeQueryPart(parameter.name)}=${encodeQueryPart(readExampleText(parameter) ?? `<${parameter.name}>`)}`,
    ),
    ...schemes.flatMap((scheme) => (scheme.query ? [`${encodeQueryPart(scheme.query)}=<key>`] : [])),
  ].join('&')
  const isOpen = base.startsWith('$BASE_URL')
  return {
    method,
    isOpen,
    url: `${isOpen ? base.slice('$BASE_URL'.length) : base}${filled.startsWith('/') ? '' : '/'}${filled}${query && `?${query}`}`,
    user: schemes.find(({ user }) => user)?.user ?? null,
    headers: [
      ...schemes.flatMap(({ user, header }) => (user || !header ? [] : [toHeader(header)])),
      ...listRequired('header').map(
        (parameter) => [parameter.name, readExampleText(parameter) ?? `<${parameter.name}>`] as const,
      ),
    ],
    body: body && readBody(body),
  }
}

const toHeader = (line: string) => {
  const at = line.indexOf(':')
  return [line.slice(0, at), line.slice(at + 1).trim()] as const
}

const readBody = ({ mediaType, example }: NonNullable<Call['body']>): SampleBody => {
  if (/json/i.test(mediaType)) return { mediaType, kind: 'json', value: clipValue(example ?? {}, { left: 200 }) }
  const kind = /x-www-form-urlencoded/i.test(mediaType) ? 'form' : /multipart\//i.test(mediaType) ? 'multipart' : null
  if (kind && isData(example)) {
    const fields = Object.entries(asData(example))
      .slice(0, 30)
      .map(([key, value]) => [joinLines(key), joinLines(toSampleText(value))] as const)
    return { mediaType, kind, fields }
  }
  return typeof example === 'string' && example.length < 2_000
    ? { mediaType, kind: 'text', text: example }
    : { mediaType, kind: 'file' }
}

const toSampleText = (value: unknown) =>
  typeof value === 'string' ? value : JSON.stringify(clipValue(value, { left: 50 }))

const readExampleText = ({ data, schema }: Parameter): string | null => {
  const value = data['example'] ?? asData(schema)['example'] ?? asData(schema)['default']
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? joinLines(String(value)).slice(0, 120).toWellFormed()
    : null
}

const joinLines = (text: string) => text.replace(/[\s\p{Cc}]+/gu, ' ').toWellFormed()

const encodeQueryPart = (text: string) =>
  encodeURIComponent(text.toWellFormed()).replaceAll('%3C', '<').replaceAll('%3E', '>')
