import { clipValue, asData, isData } from '#site/data.ts'
import type { Parameter } from '#openapi/page/parameters.ts'
import type { Scheme } from '#openapi/page/security.ts'
import type { ApiOperation } from '#openapi/reading/api-document.ts'

export type Call = {
  /** Address of the server, or `<server>` and a path. */
  base: string
  parameters: readonly Parameter[]
  schemes: readonly Scheme[]
  body: { mediaType: string; example: unknown } | null
}

type Field = { name: string; value: string }

export type SampleRequest = {
  method: string
  /** Without quotes and backslashes. */
  url: string
  headers: Field[]
  body: SampleBody | null
}

/** Body of a request. `file`: a binary body without an example. */
export type SampleBody =
  | { kind: 'json'; value: unknown }
  | { kind: 'form' | 'multipart'; fields: Field[] }
  | { kind: 'text'; text: string }
  | { kind: 'file' }

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
    path.slice(0, 500),
  )
  const query = [
    ...listRequired('query').map(
      (parameter) =>
        `${encodeQueryPart(parameter.name)}=${encodeQueryPart(readExampleText(parameter) ?? `<${parameter.name}>`)}`,
    ),
    ...schemes.flatMap((scheme) => (scheme.query ? [`${encodeQueryPart(scheme.query)}=<key>`] : [])),
  ].join('&')
  const content = body && readBody(body)
  // A form with parts has its boundary in the type.
  const type = body && content?.kind !== 'multipart' ? [{ name: 'Content-Type', value: body.mediaType }] : []
  return {
    method,
    url: `${base}${filled.startsWith('/') ? '' : '/'}${filled}${query && `?${query}`}`
      .toWellFormed()
      .replace(/["'`\\\s\p{Cc}]/gu, (character) => (character === "'" ? '%27' : encodeURIComponent(character))),
    headers: [
      ...schemes.flatMap(({ header }) => (header ? [header] : [])),
      ...listRequired('header').map((parameter) => ({
        name: parameter.name,
        value: readExampleText(parameter) ?? `<${parameter.name}>`,
      })),
      ...type,
    ],
    body: content,
  }
}

const readBody = ({ mediaType, example }: NonNullable<Call['body']>): SampleBody => {
  if (/json/i.test(mediaType)) return { kind: 'json', value: clipValue(example ?? {}, { left: 200 }) }
  const kind = /x-www-form-urlencoded/i.test(mediaType) ? 'form' : /multipart\//i.test(mediaType) ? 'multipart' : null
  if (kind && isData(example)) {
    const fields = Object.entries(asData(example))
      .slice(0, 30)
      .map(([key, value]) => ({ name: joinLines(key), value: joinLines(toSampleText(value)) }))
    return { kind, fields }
  }
  return typeof example === 'string' && example.length < 2_000 ? { kind: 'text', text: example } : { kind: 'file' }
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
