import { toLine } from '@docket/sources/text'
import type { ElementContent } from 'hast'
import { h } from 'hastscript'
import { asData } from '#site/data.ts'
import { apiLimits } from '#openapi/limits.ts'
import type { ApiOperation } from '#openapi/reading/api-document.ts'
import { readBodies, bodyTree } from './bodies.ts'
import type { PageContext } from './page-context.ts'
import { renderShortProse } from './prose.ts'
import { fieldTree } from './schema-tree.ts'

/** Renders responses by status. */
export const responsesTree = ({ data }: ApiOperation, context: PageContext): ElementContent[] => {
  const responses = Object.entries(asData(data['responses'])).slice(0, apiLimits.items)
  if (responses.length === 0) return []
  return [h('h2', 'Responses'), ...responses.flatMap(([status, value]) => responseTree(status, value, context))]
}

const responseTree = (status: string, value: unknown, context: PageContext): ElementContent[] => {
  const response = asData(context.resolve(value).value)
  const headers = Object.entries(asData(response['headers'])).slice(0, apiLimits.items)
  const title = status === 'default' ? 'Any other' : (toLine(status, 40) ?? 'Response')
  return [
    h('h3', title),
    ...renderShortProse(response['description'], context.note),
    ...headers.flatMap(([name, header]) => {
      const found = asData(context.resolve(header).value)
      const isRequired = found['required'] === true
      return [
        fieldTree(
          {
            name,
            schema: found['schema'],
            isRequired,
            isDeprecated: found['deprecated'] === true,
            description: found['description'],
          },
          context,
        ),
      ]
    }),
    ...bodyTree(readBodies(response['content'], 'response', context), context),
  ]
}
