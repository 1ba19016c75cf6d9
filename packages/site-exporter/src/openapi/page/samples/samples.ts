import { createRequire } from 'node:module'
import { toLine } from '@docket/sources/text'
import type { Plugin } from '@scalar/snippetz'
import type { ElementContent } from 'hast'
import { h } from 'hastscript'
import { asData, asList, asText, clipValue, isData, type Data } from '#site/data.ts'
import { createCodeBlock, formatExample, findLanguage, type MediaBody } from '#openapi/page/bodies.ts'
import type { PageContext } from '#openapi/page/schema.ts'
import type { ApiOperation } from '#openapi/reading/api-document.ts'

const require = createRequire(import.meta.url)

/** Languages of samples, with the names of their plugins, which are loaded once a page needs them. */
const languages = [
  { title: 'cURL', language: 'bash', names: /^(bash|curl|shell|sh)$/, plugin: ['shell/curl', 'shellCurl'] },
  { title: 'JavaScript', language: 'js', names: /^(js|javascript|node(\.?js)?)$/, plugin: ['js/fetch', 'jsFetch'] },
  { title: 'Python', language: 'python', names: /^py(thon)?$/, plugin: ['python/requests', 'pythonRequests'] },
  { title: 'Go', language: 'go', names: /^go(lang)?$/, plugin: ['go/native', 'goNative'] },
  { title: 'Java', language: 'java', names: /^java$/, plugin: ['java/nethttp', 'javaNethttp'] },
  { title: 'PHP', language: 'php', names: /^php$/, plugin: ['php/curl', 'phpCurl'] },
] as const

export type Parameter = {
  name: string
  place: 'path' | 'query' | 'header' | 'cookie'
  isRequired: boolean
  schema: unknown
  data: Data
}

/** Security scheme: `sentence` for readers; `header` or `query` for the samples. */
export type Scheme = {
  name: string
  sentence: string
  description: unknown
  header?: { name: string; value: string }
  query?: { name: string; value: string }
}

export type Call = {
  /** Address of the server, or `<server>` and a path. */
  base: string
  parameters: readonly Parameter[]
  schemes: readonly Scheme[]
  body: { mediaType: string; example: unknown } | null
}

type Field = { name: string; value: string }
type PostData = { mimeType: string; text: string } | { mimeType: string; params: Field[] }
type Request = { method: string; url: string; headers: Field[]; postData?: PostData }

const maxSamples = 20
/** Maximum length of a sample. Characters. */
const maxSource = 20_000

export const renderRequestSamples = (operation: ApiOperation, call: Call, context: PageContext): ElementContent[] => {
  const own = readOwnSamples(operation, context)
  const known = new Set(own.map(({ language }) => language))
  const request = buildRequest(operation, call)
  const made = languages
    .filter(({ language }) => !known.has(language))
    .map((entry) => ({ ...entry, code: formatRequest(entry, request) }))
  return renderSampleTabs(
    [...own, ...made].map(({ title, language, code }) => createCodeBlock(code, language, title)),
    'request-language',
  )
}

/** Builds the example request of an operation from required parameters and the first way to sign in. */
const buildRequest = ({ method, path }: ApiOperation, { base, parameters, schemes, body }: Call): Request => {
  const listRequired = (place: Parameter['place']) =>
    parameters
      .filter((parameter) => parameter.place === place && parameter.isRequired)
      .map((parameter) => ({ name: parameter.name, value: readExampleText(parameter) ?? `<${parameter.name}>` }))
  const filled = listRequired('path').reduce(
    (text, { name, value }) =>
      value === `<${name}>` ? text : text.replaceAll(`{${name}}`, () => encodeURIComponent(value)),
    path.slice(0, 500),
  )
  const query = [...listRequired('query'), ...schemes.flatMap(({ query }) => (query ? [query] : []))]
    .map(({ name, value }) => `${encodeQueryPart(name)}=${encodeQueryPart(value)}`)
    .join('&')
  const postData = body && readPostData(body)
  // A form with parts has its boundary in the type.
  const type = body && postData?.mimeType !== formType ? [{ name: 'Content-Type', value: body.mediaType }] : []
  return {
    method,
    // Quotes and backslashes would have to be escaped in some languages.
    url: `${base}${filled.startsWith('/') ? '' : '/'}${filled}${query && `?${query}`}`
      .toWellFormed()
      .replace(/["'`\\\s\p{Cc}]/gu, (character) => (character === "'" ? '%27' : encodeURIComponent(character))),
    headers: [...schemes.flatMap(({ header }) => (header ? [header] : [])), ...listRequired('header'), ...type],
    ...(postData && { postData }),
  }
}

const formType = 'multipart/form-data'
const binaryType = 'application/octet-stream'

const readPostData = ({ mediaType, example }: NonNullable<Call['body']>): PostData => {
  if (/json/i.test(mediaType))
    return { mimeType: 'application/json', text: JSON.stringify(clipValue(example ?? {}, { left: 200 }), null, 2) }
  const [kind] = /x-www-form-urlencoded|multipart\//i.exec(mediaType) ?? []
  if (kind && isData(example)) {
    const params = Object.entries(asData(example))
      .slice(0, 30)
      .map(([name, value]) => ({
        name: joinLines(name),
        value: joinLines(typeof value === 'string' ? value : JSON.stringify(clipValue(value, { left: 50 }))),
      }))
    return { mimeType: kind.endsWith('/') ? formType : 'application/x-www-form-urlencoded', params }
  }
  return typeof example === 'string' && example.length < 2_000
    ? { mimeType: 'text/plain', text: example }
    : { mimeType: binaryType, text: '<file>' }
}

const formatRequest = (
  { language, plugin: [path, name] }: (typeof languages)[number],
  { postData, ...request }: Request,
): string => {
  const { [name]: plugin } = require(`@scalar/snippetz/plugins/${path}`) as Record<string, Plugin>
  const code = plugin!.generate({ ...request, ...(postData && { postData: adaptPostData(postData, language) }) })
  const { url } = request
  if (language === 'bash') return code.replace(' --request HEAD', ' --head')
  if (language === 'python') return `import requests\n\n${code}`
  // In double quotes, PHP replaces names after a dollar.
  if (language === 'php') return `<?php\n${code.replace(`"${url}"`, () => `'${url}'`)}`
  // Some plugins encode the braces of placeholders.
  return URL.canParse(url) ? code.replace(new URL(url).href, () => url) : code
}

/** Body in the form that the plugin of a language escapes in full. */
const adaptPostData = (data: PostData, language: (typeof languages)[number]['language']): PostData => {
  const isFile = data.mimeType === binaryType
  if (language === 'bash') return isFile ? { mimeType: binaryType, text: '@file' } : data
  if (language === 'php' && data.mimeType !== formType) {
    const pairs = 'params' in data ? data.params.map(({ name, value }) => [name, value]) : []
    return { mimeType: binaryType, text: 'text' in data ? data.text : new URLSearchParams(pairs).toString() }
  }
  if (isFile) return { ...data, mimeType: 'text/plain' }
  // Python sends fields without a type as a simple form.
  return language === 'python' && data.mimeType === formType && 'params' in data
    ? { ...data, params: data.params.map((field) => ({ ...field, contentType: 'text/plain' })) }
    : data
}

const readExampleText = ({ data, schema }: Parameter): string | null => {
  const value = data['example'] ?? asData(schema)['example'] ?? asData(schema)['default']
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? joinLines(String(value)).slice(0, 120).toWellFormed()
    : null
}

const joinLines = (text: string) => text.replace(/[\s\p{Cc}]+/gu, ' ').toWellFormed()

const encodeQueryPart = (text: string) =>
  encodeURIComponent(text.toWellFormed()).replaceAll('%3C', '<').replaceAll('%3E', '>')

export const renderResponseSamples = (
  responses: readonly { status: string; bodies: readonly MediaBody[] }[],
  context: PageContext,
): ElementContent[] => {
  const blocks = responses.flatMap(({ status, bodies }) =>
    bodies.flatMap(({ mediaType, examples }) =>
      examples.map(({ title, value }) => {
        const name = [status, ...(bodies.length > 1 ? [mediaType] : []), ...(title === null ? [] : [title])]
        return createCodeBlock(formatExample(value), findLanguage(mediaType, value), name.join(' · '))
      }),
    ),
  )
  return renderSampleTabs(context.take(blocks, maxSamples, 'samples of responses'), 'off')
}

const readOwnSamples = ({ data }: ApiOperation, context: PageContext) => {
  const all = [...asList(data['x-codeSamples']), ...asList(data['x-code-samples'])].filter(isData)
  return context.take(all, maxSamples, 'samples of requests').flatMap((sample) => {
    const code = asText(sample['source'])?.slice(0, maxSource).toWellFormed()
    const name = toLine(sample['lang'], 40) ?? context.words.api.example
    const word = name.toLowerCase().split(' ')[0]!
    const language = languages.find(({ names }) => names.test(word))?.language ?? word.replace(/[^\w#+.-]/g, '')
    return code === undefined ? [] : [{ title: toLine(sample['label'], 60) ?? name, language, code }]
  })
}

const renderSampleTabs = (blocks: readonly ElementContent[], sync: string): ElementContent[] =>
  blocks.length > 1 ? [h('div', { className: ['tabs', 'samples'], dataSync: sync }, [...blocks])] : [...blocks]
