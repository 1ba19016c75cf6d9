import { clip, asData, isData } from '#site/data.ts'
import type { ApiOperation } from '#openapi/reading/api-document.ts'
import type { Parameter } from './parameters.ts'
import type { Scheme } from './security.ts'

/** Details of an example call. `body` is null without one. */
export type Call = {
  base: string
  parameters: readonly Parameter[]
  schemes: readonly Scheme[]
  body: { mediaType: string; example: unknown } | null
}

/** Formats an operation as a curl command, quoted for a shell. */
export const formatCurl = ({ method, path }: ApiOperation, { base, parameters, schemes, body }: Call): string => {
  const listRequired = (place: Parameter['place']) =>
    parameters.filter((parameter) => parameter.place === place && parameter.isRequired)
  const filled = listRequired('path').reduce(
    (text, parameter) => {
      const example = exampleText(parameter)
      return example === null ? text : text.replaceAll(`{${parameter.name}}`, () => encodeURIComponent(example))
    },
    path.slice(0, 500).replace(/[\s\p{Cc}]/gu, '%20'),
  )
  const query = [
    ...listRequired('query').map(
      (parameter) => `${encode(parameter.name)}=${encode(exampleText(parameter) ?? `<${parameter.name}>`)}`,
    ),
    ...schemes.flatMap((scheme) => (scheme.query ? [`${encode(scheme.query)}=<key>`] : [])),
  ].join('&')
  const url = `${filled.startsWith('/') ? '' : '/'}${filled}${query && `?${query}`}`
  const isOpen = base.startsWith('$BASE_URL')
  const target = isOpen ? `"$BASE_URL"${quoted(base.slice('$BASE_URL'.length) + url)}` : quoted(base + url)
  const lines = [
    `curl${method === 'GET' ? '' : method === 'HEAD' ? ' --head' : ` --request ${method}`} ${target}`,
    ...(/[{}[\]]/.test(base + url) ? ['--globoff'] : []),
    ...schemes.flatMap((scheme) =>
      scheme.user ? [`--user ${quoted(scheme.user)}`] : scheme.header ? [`--header ${quoted(scheme.header)}`] : [],
    ),
    ...listRequired('header').map(
      (parameter) => `--header ${quoted(`${parameter.name}: ${exampleText(parameter) ?? `<${parameter.name}>`}`)}`,
    ),
    ...bodyLines(body),
  ]
  return lines.join(' \\\n  ')
}

const bodyLines = (body: Call['body']): string[] => {
  if (!body) return []
  const { mediaType, example } = body
  const header = `--header ${quoted(`Content-Type: ${mediaType}`)}`
  if (/json/i.test(mediaType))
    return [header, `--data ${quoted(JSON.stringify(clip(example ?? {}, { left: 200 }), null, 2))}`]
  const form = /x-www-form-urlencoded/i.test(mediaType)
    ? '--data-urlencode'
    : /multipart\//i.test(mediaType)
      ? '--form'
      : null
  if (form && isData(example))
    return Object.entries(asData(example))
      .slice(0, 30)
      .map(
        ([key, value]) =>
          `${form} ${quoted(`${oneLine(key)}=${oneLine(typeof value === 'string' ? value : JSON.stringify(clip(value, { left: 50 })))}`)}`,
      )
  return typeof example === 'string' && example.length < 2_000
    ? [header, `--data ${quoted(example)}`]
    : [header, `--data-binary '@file'`]
}

const exampleText = ({ data, schema }: Parameter): string | null => {
  const value = data['example'] ?? asData(schema)['example'] ?? asData(schema)['default']
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? oneLine(String(value)).slice(0, 120).toWellFormed()
    : null
}

const oneLine = (text: string) => text.replace(/[\s\p{Cc}]+/gu, ' ').toWellFormed()

const encode = (text: string) => encodeURIComponent(text.toWellFormed()).replaceAll('%3C', '<').replaceAll('%3E', '>')

/** Quotes one shell word. */
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`).replaceAll('\0', '')}'`
