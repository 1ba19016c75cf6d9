import { toLine } from '@docket/sources/text'
import type { Element, ElementContent } from 'hast'
import { h } from 'hastscript'
import type { Note } from '#markdown/page-notes.ts'
import { asData, asList, isData, readOwn, type Data } from '#site/data.ts'
import { apiLimits } from '#openapi/limits.ts'
import { renderMethodBadge } from '#openapi/method-badge.ts'
import type { ApiOperation } from '#openapi/reading/api-document.ts'
import { readBodies, renderBodies, type MediaBody, createCodeBlock, formatExample } from './bodies.ts'
import { createPageContext, type PageContext } from './schema.ts'
import { readParameters, type Parameter } from './parameters.ts'
import { renderProse, renderShortProse } from './prose.ts'
import { renderField, renderSchema } from './schema-tree.ts'
import { renderRequestSamples, renderResponseSamples } from './samples/samples.ts'
import { readSecurity, type Scheme } from './security.ts'
import type { ApiSchema } from '#openapi/reading/api-documents.ts'
import { buildExample } from './example.ts'

const placeTitles = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['header', 'Headers'],
  ['cookie', 'Cookies'],
] as const

/** Renders an operation around the page's own content. Sanitises descriptions; other fields become text. */
export const renderOperation = (
  operation: ApiOperation,
  note: Note,
): { above: ElementContent[]; below: ElementContent[] } => {
  const context = createPageContext(operation.document.resolve, note)
  const { data } = operation
  const isWebhook = operation.method === 'WEBHOOK'
  const parameters = readParameters(operation, context)
  const servers = isWebhook ? [] : readServers(operation)
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
  const bodyTitle = isWebhook ? 'Payload' : 'Request body'
  return {
    above: [renderEndpoint(operation), ...renderProse(findDescription(operation), note)],
    below: [
      ...renderProse(asData(data['x-mint'])['content'], note),
      ...(isWebhook ? [] : renderRequestSamples(operation, call)),
      ...renderResponseSamples(responses),
      ...renderServers(servers),
      ...renderSecurity(security, context),
      ...placeTitles.flatMap(([place, title]) => renderParameters(parameters, place, title, context)),
      ...(bodies.length > 0
        ? [
            h('h2', bodyTitle),
            ...renderShortProse(request['description'], note),
            ...(request['required'] === true ? [] : renderOptionalMark(isWebhook)),
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

export const renderEndpoint = ({ method, path, isDeprecated }: ApiOperation): Element =>
  h('div', { className: ['endpoint'] }, [
    renderMethodBadge(method),
    h('code', toLine(path, 300) ?? '/'),
    ...(isDeprecated ? [h('span', { className: ['badge'] }, 'deprecated')] : []),
  ])

const renderOptionalMark = (isWebhook: boolean): ElementContent[] =>
  isWebhook ? [] : [h('p', { className: ['field-values'] }, 'Optional.')]

const renderServers = (servers: readonly Server[]): ElementContent[] => {
  if (servers.length === 0) return []
  const items = servers.map(({ template, description }) =>
    h('li', [h('code', template), ...(description ? [` ${description}`] : [])]),
  )
  return [h('h2', items.length > 1 ? 'Servers' : 'Server'), h('ul', items)]
}

const renderSecurity = (security: Scheme[][] | null, context: PageContext): ElementContent[] => {
  if (security === null) return []
  const ways = security.filter((way) => way.length > 0)
  if (ways.length === 0) return [h('h2', 'Authorization'), h('p', 'None is needed.')]
  const isOptional = ways.length < security.length
  const items = ways.map((way) =>
    h('li', [
      h('p', [
        capitalizeSentence(way.map(({ sentence: words }) => words).join(', and ')),
        ...(isOptional ? [' It is optional.'] : []),
      ]),
      ...way.flatMap(({ description }) => renderShortProse(description, context.note)),
    ]),
  )
  return [h('h2', 'Authorization'), ...(items.length > 1 ? [h('p', 'One of these:')] : []), h('ul', items)]
}

const capitalizeSentence = (words: string) => `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}.`

const renderParameters = (
  parameters: readonly Parameter[],
  place: Parameter['place'],
  title: string,
  context: PageContext,
): ElementContent[] => {
  const here = parameters.filter((parameter) => parameter.place === place)
  if (here.length === 0) return []
  return [h('h2', title), ...here.map((parameter) => renderField(parameter, context))]
}

type Response = { status: string; data: Data; bodies: MediaBody[] }

const readResponses = ({ data }: ApiOperation, context: PageContext): Response[] =>
  Object.entries(asData(data['responses']))
    .slice(0, apiLimits.items)
    .map(([status, value]) => {
      const response = asData(context.resolve(value).value)
      const title = status === 'default' ? 'Any other' : (toLine(status, 40) ?? 'Response')
      return { status: title, data: response, bodies: readBodies(response['content'], 'response', context) }
    })

const renderResponses = (responses: readonly Response[], context: PageContext): ElementContent[] =>
  responses.length === 0
    ? []
    : [h('h2', 'Responses'), ...responses.flatMap((response) => renderResponse(response, context))]

const renderResponse = ({ status, data, bodies }: Response, context: PageContext): ElementContent[] => {
  const headers = Object.entries(asData(data['headers'])).slice(0, apiLimits.items)
  return [
    h('h3', status),
    ...renderShortProse(data['description'], context.note),
    ...headers.map(([name, header]) => {
      const found = asData(context.resolve(header).value)
      return renderField(
        { name, schema: found['schema'], isRequired: found['required'] === true, data: found },
        context,
      )
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
const readServers = ({ document, item, data }: ApiOperation): Server[] => {
  const declared = [data['servers'], item['servers'], document.root['servers']].find(
    (servers) => asList(servers).length > 0,
  )
  return asList(declared)
    .filter(isData)
    .slice(0, 10)
    .flatMap((server): Server[] => {
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

export const renderSchemaPage = ({ document, value }: ApiSchema, note: Note): ElementContent[] => {
  const context = createPageContext(document.resolve, note)
  return [
    ...renderSchema(value, context),
    createCodeBlock(formatExample(buildExample(value, 'response', context)), 'json', 'Example'),
  ]
}
