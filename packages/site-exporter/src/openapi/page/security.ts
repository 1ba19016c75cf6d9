import { toLine } from '@docket/sources/text'
import { asData, isData, asList, readOwn, type Data } from '#site/data.ts'
import type { ApiOperation } from '#openapi/reading/api-document.ts'
import type { PageContext } from './schema.ts'

/** Security scheme: `sentence` for readers; `header` or `query` for the samples. */
export type Scheme = {
  name: string
  sentence: string
  description: unknown
  header?: { name: string; value: string }
  query?: string
}

/** Alternatives, each a list of schemes required together. Null when the document has no rule. */
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
        .map(([name, scopes]) => readScheme(name, asData(context.resolve(readOwn(schemes, name)).value), scopes)),
    )
}

const readScheme = (key: string, data: Data, scopes: unknown): Scheme => {
  const base = { name: toLine(key, 80) ?? '', description: data['description'] }
  const wanted = asList(scopes)
    .flatMap((scope) => toLine(scope, 80) ?? [])
    .slice(0, 20)
  const withScopes = (text: string) => (wanted.length > 0 ? `${text}, with ${wanted.join(', ')}` : text)
  const { type, in: place } = data
  if (type === 'apiKey') {
    const name = toLine(data['name'], 80) ?? ''
    const sentence = `a key in the ${place === 'query' ? 'query parameter' : place === 'cookie' ? 'cookie' : 'header'} ${name}`
    if (place === 'query') return { ...base, sentence, query: name }
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
      return { ...base, sentence: 'a user name and a password (HTTP Basic)', header }
    }
    const word = /^bearer$/i.test(scheme) ? 'Bearer' : scheme
    const sentence = withScopes(`a token in the header Authorization, after the word ${word}`)
    return { ...base, sentence, header: { name: 'Authorization', value: `${word} <token>` } }
  }
  if (type === 'oauth2' || type === 'openIdConnect') {
    const standard = type === 'oauth2' ? 'OAuth 2' : 'OpenID Connect'
    const sentence = withScopes(`an access token (${standard}) in the header Authorization`)
    return { ...base, sentence, header: { name: 'Authorization', value: 'Bearer <token>' } }
  }
  if (type === 'mutualTLS') return { ...base, sentence: 'a client certificate' }
  return { ...base, sentence: `${base.name}, which the document does not describe` }
}
