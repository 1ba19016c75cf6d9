import { toLine } from '@docket/sources/text'
import { asData, isData, asList, own, type Data } from '#site/data.ts'
import type { ApiOperation } from '#openapi/reading/api-document.ts'
import type { PageContext } from './page-context.ts'

/** Security scheme: `sentence` for readers; `header`, `query` or `user` for curl. */
export type Scheme = {
  name: string
  sentence: string
  description: unknown
  header?: string
  query?: string
  user?: string
}

/** Alternatives, each a list of schemes required together. Null if the document does not say. */
export const readSecurity = ({ document, data }: ApiOperation, context: PageContext): Scheme[][] | null => {
  const required = data['security'] ?? document.root['security']
  if (!Array.isArray(required)) return null
  const schemes = asData(document.root['components'])['securitySchemes']
  return asList(required)
    .filter(isData)
    .slice(0, 10)
    .map((ways) =>
      Object.entries(ways)
        .slice(0, 6)
        .map(([name, scopes]) => readScheme(name, asData(context.resolve(own(schemes, name)).value), scopes)),
    )
}

const readScheme = (key: string, data: Data, scopes: unknown): Scheme => {
  const name = toLine(key, 80) ?? ''
  const description = data['description']
  const wanted = asList(scopes)
    .flatMap((scope) => toLine(scope, 80) ?? [])
    .slice(0, 20)
  const withScopes = (text: string) => (wanted.length > 0 ? `${text}, with ${wanted.join(', ')}` : text)
  const place = toLine(data['name'], 80) ?? ''
  if (data['type'] === 'apiKey') {
    const sentence = `a key in the ${data['in'] === 'query' ? 'query parameter' : data['in'] === 'cookie' ? 'cookie' : 'header'} ${place}`
    if (data['in'] === 'query') return { name, sentence, description, query: place }
    return {
      name,
      sentence,
      description,
      header: data['in'] === 'cookie' ? `Cookie: ${place}=<key>` : `${place}: <key>`,
    }
  }
  if (data['type'] === 'http') {
    const scheme = toLine(data['scheme'], 40) ?? 'bearer'
    if (/^basic$/i.test(scheme))
      return { name, sentence: 'a user name and a password (HTTP Basic)', description, user: '<name>:<password>' }
    const word = /^bearer$/i.test(scheme) ? 'Bearer' : scheme
    return {
      name,
      sentence: withScopes(`a token in the header Authorization, after the word ${word}`),
      description,
      header: `Authorization: ${word} <token>`,
    }
  }
  if (data['type'] === 'oauth2' || data['type'] === 'openIdConnect')
    return {
      name,
      sentence: withScopes(
        `an access token (${data['type'] === 'oauth2' ? 'OAuth 2' : 'OpenID Connect'}) in the header Authorization`,
      ),
      description,
      header: 'Authorization: Bearer <token>',
    }
  if (data['type'] === 'mutualTLS') return { name, sentence: 'a client certificate', description }
  return { name, sentence: `${name}, which the document does not describe`, description }
}
