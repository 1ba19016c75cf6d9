import { toLine } from '@docket/sources/text'
import { asData, isData, asList, own } from '#site/data.ts'
import type { ApiOperation } from '#openapi/reading/api-document.ts'

/** `url` has default values for its variables. */
export type Server = { template: string; url: string; description: string | null }

/** Servers of the operation, else of its path, else of the document. */
export const readServers = ({ document, item, data }: ApiOperation): Server[] => {
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
        (whole, name: string) => toLine(asData(own(variables, name))['default'], 120) ?? whole,
      )
      return [{ template, url, description: toLine(server['description'], 200) }]
    })
}

/** Base address for curl; a variable without a host. */
export const findBase = (servers: readonly Server[]): string => {
  const url = servers[0]?.url.replace(/\/+$/, '') ?? ''
  return /^https?:\/\//i.test(url) ? url : `$BASE_URL${url.startsWith('/') ? url : ''}`
}
