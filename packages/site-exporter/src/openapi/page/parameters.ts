import { toLine } from '@docket/sources/text'
import { asData, isData, asList, type Data } from '#site/data.ts'
import { apiLimits } from '#openapi/limits.ts'
import type { ApiOperation } from '#openapi/reading/api-document.ts'
import type { PageContext } from './schema.ts'

export type Parameter = {
  name: string
  place: 'path' | 'query' | 'header' | 'cookie'
  isRequired: boolean
  schema: unknown
  data: Data
}

const places = ['path', 'query', 'header', 'cookie'] as const

export const readParameters = ({ item, data }: ApiOperation, context: PageContext): Parameter[] => {
  const parameters = new Map<string, Parameter>()
  for (const value of [...asList(item['parameters']), ...asList(data['parameters'])].slice(0, apiLimits.items * 2)) {
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
