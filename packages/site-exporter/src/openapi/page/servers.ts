import { toLine } from '@docket/sources/text'
import { asData, isData, asList, own } from '#site/data.ts'
import type { ApiOperation } from '#openapi/reading/api-document.ts'

/** A server of an operation. `url` has its variables filled in with their defaults. */
export type Server = { template: string; url: string; description: string | null }

/** Servers of an operation, else of its path, else of the document; none when it names none. */
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

/** Address that a call begins with. A document that names no host leaves it to the reader. */
export const findBase = (servers: readonly Server[]): string => {
  const url = servers[0]?.url.replace(/\/+$/, '') ?? ''
  return /^https?:\/\//i.test(url) ? url : `$BASE_URL${url.startsWith('/') ? url : ''}`
}
