import { toLine, toText } from '@docket/sources/text'
import { parse } from 'yaml'
import { dataOf, isData, listOf, type Data } from '#openapi/data.ts'
import { apiLimits } from '#openapi/limits.ts'
import { referencesOf, type Resolve } from './references.ts'

/** One OpenAPI document of the source. */
export type ApiDocument = {
  /** Its file in the source. */
  file: string
  root: Data
  title: string | null
  resolve: Resolve
  operations: ApiOperation[]
}

/** One operation, or one webhook (`WEBHOOK`, its name as path), of a document. */
export type ApiOperation = {
  document: ApiDocument
  /** In capitals. */
  method: string
  path: string
  /** Never empty. */
  title: string
  tag: string | null
  isDeprecated: boolean
  /** Has a page, but no place in the navigation. */
  isHidden: boolean
  /** The path item around it. */
  item: Data
  data: Data
}

const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace', 'query'] as const

/** Reads a document in JSON or YAML. Throws with half a sentence for the report when it cannot be used. */
export const parseApiDocument = (file: string, content: Buffer): ApiDocument => {
  const root = dataOf(parsed(file, content))
  const version = toText(root['openapi'])
  if (version === null)
    throw new Error(
      root['swagger'] === undefined ? 'it is no OpenAPI document' : 'only OpenAPI 3 is understood, and it is older',
    )
  if (!version.startsWith('3.')) throw new Error(`only OpenAPI 3 is understood, and it is ${version.slice(0, 20)}`)
  const document: ApiDocument = {
    file,
    root,
    title: toLine(dataOf(root['info'])['title']),
    resolve: referencesOf(root),
    operations: [],
  }
  for (const [path, value] of Object.entries(dataOf(root['paths']))) addOperations(document, path, value, false)
  for (const [name, value] of Object.entries(dataOf(root['webhooks']))) addOperations(document, name, value, true)
  return document
}

const parsed = (file: string, content: Buffer): unknown => {
  const isJson = /\.json$/i.test(file)
  if (!isJson && content.length > apiLimits.yamlBytes)
    throw new Error(`as YAML it may have ${apiLimits.yamlBytes / 1024 / 1024} MB; as JSON more`)
  try {
    const text = content.toString('utf8').replace(/^\uFEFF/, '')
    // No custom tags, and aliases that cannot multiply. Looking for equal keys would take the square of their number.
    return isJson
      ? JSON.parse(text)
      : parse(text, { schema: 'core', merge: true, uniqueKeys: false, maxAliasCount: 100, logLevel: 'silent' })
  } catch {
    throw new Error(`it is not valid ${isJson ? 'JSON' : 'YAML'}, or too deep to read`)
  }
}

const addOperations = (document: ApiDocument, path: string, value: unknown, isWebhook: boolean) => {
  const item = dataOf(document.resolve(value).value)
  for (const method of methods) {
    const data = item[method]
    if (!isData(data) || data['x-excluded'] === true) continue
    document.operations.push({
      document,
      method: isWebhook ? 'WEBHOOK' : method.toUpperCase(),
      path,
      title:
        titleOf(data) ??
        (isWebhook ? (toLine(path, 120) ?? 'Webhook') : `${method.toUpperCase()} ${toLine(path, 120) ?? '/'}`),
      tag: toLine(listOf(data['tags'])[0], 80),
      isDeprecated: data['deprecated'] === true,
      isHidden: data['x-hidden'] === true,
      item,
      data,
    })
  }
}

const titleOf = (data: Data) => {
  const metadata = dataOf(dataOf(data['x-mint'])['metadata'])
  return toLine(metadata['title'], 120) ?? toLine(data['summary'], 120) ?? wordsOf(toLine(data['operationId'], 120))
}

/** `listThings` and `list_things` → `List things`. */
const wordsOf = (name: string | null) => {
  const words = name
    ?.replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase()
  return words ? words[0]!.toUpperCase() + words.slice(1) : null
}
