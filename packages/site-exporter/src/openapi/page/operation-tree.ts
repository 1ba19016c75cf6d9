import { toLine } from '@docket/sources/text'
import type { Element, ElementContent } from 'hast'
import { h } from 'hastscript'
import { fillWording, type Words } from '#site/words.ts'
import type { Note } from '#markdown/page-notes.ts'
import { asData, asList, isData, readOwn, type Data } from '#site/data.ts'
import { apiLimits } from '#openapi/limits.ts'
import { renderMethodBadge } from '#openapi/method-badge.ts'
import type { ApiOperation } from '#openapi/reading/api-document.ts'
import { buildExample, readBodies, renderBodies, type MediaBody, createCodeBlock, formatExample } from './bodies.ts'
import { createPageContext, type PageContext } from './schema.ts'
import { renderProse, renderShortProse } from './prose.ts'
import { atTop, renderField, renderSchema } from './schema-tree.ts'
import { renderRequestSamples, renderResponseSamples, type Parameter, type Scheme } from './samples/samples.ts'
import type { ApiSchema } from '#openapi/reading/api-documents.ts'

const places = ['path', 'query', 'header', 'cookie'] as const

const readParameters = ({ item, data }: ApiOperation, context: PageContext): Parameter[] => {
  const parameters = new Map<string, Parameter>()
  const all = [...asList(item['parameters']), ...asList(data['parameters'])]
  for (const value of context.take(all, apiLimits.items * 2, 'parameters')) {
    const found = context.resolve(value).value
    const place = places.find((one) => isData(found) && found['in'] === one)
    if (!isData(found) || place === undefined) continue
    const name = toLine(found['name'], 120) ?? ''
    parameters.set(`${place} ${name}`, {
      name,
      place,
      isRequired: found['required'] === true || place === 'path',
      schema: found['schema'] ?? asData(Object.values(asData(found['content']))[0])['schema'] ?? {},
      data: found,
    })
  }
  return [...parameters.values()]
}

/** Renders an operation around the page's own content. Sanitises descriptions; other fields become text. */
export const renderOperation = (
  operation: ApiOperation,
  note: Note,
  words: Words,
): { above: ElementContent[]; below: ElementContent[] } => {
  const context = createPageContext(operation.document.resolve, note, words)
  const { data } = operation
  const isWebhook = operation.method === 'WEBHOOK'
  const parameters = readParameters(operation, context)
  const servers = isWebhook ? [] : readServers(operation, context)
  const security = isWebhook ? null : readSecurity(operation, context)
  const request = asData(context.resolve(data['requestBody']).value)
  const bodies = readBodies(request['content'], 'request', context)
  const [body] = bodies
  const call = {
    base: findBaseAddress(servers),
    parameters,
    schemes: security?.find((way) => way.length > 0) ?? [],
    body: body ? { mediaType: body.mediaType, example: body.examples[0]?.value } : null,
  }
  const responses = readResponses(operation, context)
  const bodyTitle = isWebhook ? words.api.payload : words.api.requestBody
  return {
    above: [renderEndpoint(operation, words), ...renderProse(findDescription(operation), context)],
    below: [
      ...renderProse(asData(data['x-mint'])['content'], context),
      ...(isWebhook ? [] : renderRequestSamples(operation, call, context)),
      ...renderResponseSamples(responses, context),
      ...renderServers(servers, words),
      ...renderSecurity(security, context),
      ...places.flatMap((place) => renderParameters(parameters, place, context)),
      ...(bodies.length > 0
        ? [
            h('h2', bodyTitle),
            ...renderShortProse(request['description'], context),
            ...(isWebhook || request['required'] === true
              ? []
              : [h('p', { className: ['field-values'] }, words.api.optional)]),
            ...renderBodies(bodies, context),
          ]
        : []),
      ...renderResponses(responses, context),
    ],
  }
}

const findDescription = ({ data, item, title }: ApiOperation) => {
  const description = toLine(data['description']) === title ? undefined : data['description']
  return description ?? item['description'] ?? (toLine(data['summary'], 120) === title ? undefined : data['summary'])
}

export const renderEndpoint = ({ method, path, isDeprecated }: ApiOperation, { content }: Words): Element =>
  h('div', { className: ['endpoint'] }, [
    renderMethodBadge(method),
    h('code', toLine(path, 300) ?? '/'),
    ...(isDeprecated ? [h('span', { className: ['badge'] }, content.deprecated)] : []),
  ])

const renderServers = (servers: readonly Server[], { api }: Words): ElementContent[] => {
  if (servers.length === 0) return []
  const items = servers.map(({ template, description }) =>
    h('li', [h('code', template), ...(description ? [` ${description}`] : [])]),
  )
  return [h('h2', items.length > 1 ? api.servers : api.server), h('ul', items)]
}

/** Alternatives, each a list of schemes required together. Null when the document has no rule. */
const readSecurity = ({ document, data }: ApiOperation, context: PageContext): Scheme[][] | null => {
  const required = data['security'] ?? document.root['security']
  if (!Array.isArray(required)) return null
  const schemes = asData(document.root['components'])['securitySchemes']
  return context
    .take(asList(required).filter(isData), 10, 'ways to sign in')
    .map((ways) =>
      context
        .take(Object.entries(ways), 6, 'parts of a way to sign in')
        .map(([name, scopes]) =>
          readScheme(name, asData(context.resolve(readOwn(schemes, name)).value), { scopes, words: context.words }),
        ),
    )
}

const readScheme = (key: string, data: Data, { scopes, words }: { scopes: unknown; words: Words }): Scheme => {
  const { api } = words
  const base = { name: toLine(key, 80) ?? '', description: data['description'] }
  const wanted = asList(scopes)
    .flatMap((scope) => toLine(scope, 80) ?? [])
    .slice(0, 20)
  const withScopes = (text: string) =>
    wanted.length > 0 ? fillWording(words, api.withScopes, { text, scopes: wanted.join(', ') }) : text
  const { type, in: place } = data
  if (type === 'apiKey') {
    const name = toLine(data['name'], 80) ?? ''
    const where = place === 'query' ? api.keyInQuery : place === 'cookie' ? api.keyInCookie : api.keyInHeader
    const sentence = fillWording(words, where, { name })
    if (place === 'query') return { ...base, sentence, query: { name, value: '<key>' } }
    return {
      ...base,
      sentence,
      header: place === 'cookie' ? { name: 'Cookie', value: `${name}=<key>` } : { name, value: '<key>' },
    }
  }
  if (type === 'http') {
    const scheme = toLine(data['scheme'], 40) ?? 'bearer'
    if (/^basic$/i.test(scheme)) {
      const header = { name: 'Authorization', value: 'Basic <base64 of name:password>' }
      return { ...base, sentence: api.basic, header }
    }
    const word = /^bearer$/i.test(scheme) ? 'Bearer' : scheme
    const sentence = withScopes(fillWording(words, api.token, { word }))
    return { ...base, sentence, header: { name: 'Authorization', value: `${word} <token>` } }
  }
  if (type === 'oauth2' || type === 'openIdConnect') {
    const standard = type === 'oauth2' ? 'OAuth 2' : 'OpenID Connect'
    const sentence = withScopes(fillWording(words, api.accessToken, { standard }))
    return { ...base, sentence, header: { name: 'Authorization', value: 'Bearer <token>' } }
  }
  if (type === 'mutualTLS') return { ...base, sentence: api.certificate }
  return { ...base, sentence: fillWording(words, api.undescribed, { name: base.name }) }
}

const renderSecurity = (security: Scheme[][] | null, context: PageContext): ElementContent[] => {
  if (security === null) return []
  const { api } = context.words
  const ways = security.filter((way) => way.length > 0)
  if (ways.length === 0) return [h('h2', api.authorization), h('p', api.none)]
  const isOptional = ways.length < security.length
  const items = ways.map((way) =>
    h('li', [
      h('p', [
        capitalizeSentence(way.map(({ sentence: words }) => words).join(api.and)),
        ...(isOptional ? [` ${api.optionalToo}`] : []),
      ]),
      ...way.flatMap(({ description }) => renderShortProse(description, context)),
    ]),
  )
  return [h('h2', api.authorization), ...(items.length > 1 ? [h('p', api.oneOfThese)] : []), h('ul', items)]
}

const capitalizeSentence = (words: string) => `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}.`

const renderParameters = (
  parameters: readonly Parameter[],
  place: Parameter['place'],
  context: PageContext,
): ElementContent[] => {
  const here = parameters.filter((parameter) => parameter.place === place)
  if (here.length === 0) return []
  return [h('h2', context.words.api[place]), ...here.map((parameter) => renderField(parameter, atTop(context)))]
}

type Response = { status: string; data: Data; bodies: MediaBody[] }

const readResponses = ({ data }: ApiOperation, context: PageContext): Response[] =>
  context.take(Object.entries(asData(data['responses'])), apiLimits.items, 'responses').map(([status, value]) => {
    const { api } = context.words
    const response = asData(context.resolve(value).value)
    const title = status === 'default' ? api.anyOther : (toLine(status, 40) ?? api.response)
    return { status: title, data: response, bodies: readBodies(response['content'], 'response', context) }
  })

const renderResponses = (responses: readonly Response[], context: PageContext): ElementContent[] =>
  responses.length === 0
    ? []
    : [h('h2', context.words.api.responses), ...responses.flatMap((response) => renderResponse(response, context))]

const renderResponse = ({ status, data, bodies }: Response, context: PageContext): ElementContent[] => {
  const headers = context.take(Object.entries(asData(data['headers'])), apiLimits.items, 'headers')
  return [
    h('h3', status),
    ...renderShortProse(data['description'], context),
    ...headers.map(([name, header]) => {
      const found = asData(context.resolve(header).value)
      const field = { name, schema: found['schema'], isRequired: found['required'] === true, data: found }
      return renderField(field, atTop(context))
    }),
    ...renderBodies(
      bodies.map((body) => ({ ...body, examples: [] })),
      context,
    ),
  ]
}

/** A server. The variables of `url` are replaced by their default values. */
type Server = { template: string; url: string; description: string | null }

/** Servers of the operation, else of the path, else of the document. */
const readServers = ({ document, item, data }: ApiOperation, context: PageContext): Server[] => {
  const declared = [data['servers'], item['servers'], document.root['servers']].find(
    (servers) => asList(servers).length > 0,
  )
  return context.take(asList(declared).filter(isData), 10, 'servers').flatMap((server): Server[] => {
    const template = toLine(server['url'], 300)
    if (template === null || template === '/') return []
    const variables = server['variables']
    const url = template.replace(
      /\{([^{}]{1,80})\}/g,
      (whole, name: string) => toLine(asData(readOwn(variables, name))['default'], 120) ?? whole,
    )
    return [{ template, url, description: toLine(server['description'], 200) }]
  })
}

/** Base address for the samples; begins with a placeholder if the server has no host. */
const findBaseAddress = (servers: readonly Server[]): string => {
  const url = servers[0]?.url.replace(/\/+$/, '') ?? ''
  return /^https?:\/\//i.test(url) ? url : `<server>${url.startsWith('/') ? url : ''}`
}

export const renderSchemaPage = ({ document, value }: ApiSchema, note: Note, words: Words): ElementContent[] => {
  const context = createPageContext(document.resolve, note, words)
  return [
    ...renderSchema(value, context),
    createCodeBlock(formatExample(buildExample(value, 'response', context)), 'json', words.api.example),
  ]
}
