import { toLine } from '@docket/sources/text'
import type { Element, ElementContent } from 'hast'
import { h } from 'hastscript'
import type { Note } from '#markdown/page-notes.ts'
import { asData } from '#site/data.ts'
import { methodBadge } from '#openapi/method-badge.ts'
import type { ApiOperation } from '#openapi/reading/api-document.ts'
import { readBodies, bodyTree, codeBlock } from './bodies.ts'
import { formatCurl } from './curl.ts'
import { pageContext, type PageContext } from './page-context.ts'
import { readParameters, type Parameter } from './parameters.ts'
import { renderProse, renderShortProse } from './prose.ts'
import { responsesTree } from './responses.ts'
import { fieldTree } from './schema-tree.ts'
import { readSecurity, type Scheme } from './security.ts'
import { findBase, readServers, type Server } from './servers.ts'

const placeTitles = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['header', 'Headers'],
  ['cookie', 'Cookies'],
] as const

/** Renders an operation above and below the page's own content. Sanitises descriptions; all else becomes text. */
export const operationTree = (
  operation: ApiOperation,
  note: Note,
): { above: ElementContent[]; below: ElementContent[] } => {
  const context = pageContext(operation.document.resolve, note)
  const { data } = operation
  const isWebhook = operation.method === 'WEBHOOK'
  const parameters = readParameters(operation, context)
  const servers = isWebhook ? [] : readServers(operation)
  const security = isWebhook ? null : readSecurity(operation, context)
  const request = asData(context.resolve(data['requestBody']).value)
  const bodies = readBodies(request['content'], 'request', context)
  const [body] = bodies
  const call = {
    base: findBase(servers),
    parameters,
    schemes: security?.find((way) => way.length > 0) ?? [],
    body: body ? { mediaType: body.mediaType, example: body.examples[0]?.value } : null,
  }
  const bodyTitle = isWebhook ? 'Payload' : 'Request body'
  return {
    above: [renderEndpoint(operation), ...renderProse(findDescription(operation), note)],
    below: [
      ...renderProse(asData(data['x-mint'])['content'], note),
      ...(isWebhook ? [] : [codeBlock(formatCurl(operation, call), 'bash', 'Request')]),
      ...serverTree(servers),
      ...securityTree(security, context),
      ...placeTitles.flatMap(([place, title]) => parameterTree(parameters, place, title, context)),
      ...(bodies.length > 0
        ? [
            h('h2', bodyTitle),
            ...renderShortProse(request['description'], note),
            ...(request['required'] === true ? [] : optional(isWebhook)),
            ...bodyTree(bodies, context),
          ]
        : []),
      ...responsesTree(operation, context),
    ],
  }
}

const findDescription = ({ data, item, title }: ApiOperation) => {
  const description = toLine(data['description']) === title ? undefined : data['description']
  return description ?? item['description'] ?? (toLine(data['summary'], 120) === title ? undefined : data['summary'])
}

/** Renders method and path. */
export const renderEndpoint = ({ method, path, isDeprecated }: ApiOperation): Element =>
  h('div', { className: ['endpoint'] }, [
    methodBadge(method),
    h('code', toLine(path, 300) ?? '/'),
    ...(isDeprecated ? [h('span', { className: ['badge'] }, 'deprecated')] : []),
  ])

const optional = (isWebhook: boolean): ElementContent[] =>
  isWebhook ? [] : [h('p', { className: ['field-values'] }, 'Optional.')]

const serverTree = (servers: readonly Server[]): ElementContent[] => {
  if (servers.length === 0) return []
  const items = servers.map(({ template, description }) =>
    h('li', [h('code', template), ...(description ? [` ${description}`] : [])]),
  )
  return [h('h2', items.length > 1 ? 'Servers' : 'Server'), h('ul', items)]
}

const securityTree = (security: Scheme[][] | null, context: PageContext): ElementContent[] => {
  if (security === null) return []
  const ways = security.filter((way) => way.length > 0)
  if (ways.length === 0) return [h('h2', 'Authorization'), h('p', 'None is needed.')]
  const isOptional = ways.length < security.length
  const items = ways.map((way) =>
    h('li', [
      h('p', [
        sentence(way.map(({ sentence: words }) => words).join(', and ')),
        ...(isOptional ? [' It is optional.'] : []),
      ]),
      ...way.flatMap(({ description }) => renderShortProse(description, context.note)),
    ]),
  )
  return [h('h2', 'Authorization'), ...(items.length > 1 ? [h('p', 'One of these:')] : []), h('ul', items)]
}

const sentence = (words: string) => `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}.`

const parameterTree = (
  parameters: readonly Parameter[],
  place: Parameter['place'],
  title: string,
  context: PageContext,
): ElementContent[] => {
  const here = parameters.filter((parameter) => parameter.place === place)
  if (here.length === 0) return []
  const fields = here.map(({ name, schema, isRequired, data }) =>
    fieldTree(
      { name, schema, isRequired, isDeprecated: data['deprecated'] === true, description: data['description'] },
      context,
    ),
  )
  return [h('h2', title), ...fields]
}
