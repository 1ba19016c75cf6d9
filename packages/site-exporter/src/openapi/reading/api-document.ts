import { createHash } from 'node:crypto'
import { toLine, toText } from '@docket/sources/text'
import { parse } from 'yaml'
import { decodeSourceText } from '#site/decode-text.ts'
import { asData, isData, asList, type Data } from '#site/data.ts'
import { apiLimits } from '#openapi/limits.ts'
import { createResolver, type Resolve } from './references.ts'

export type ApiDocument = {
  file: string
  digest: string
  root: Data
  title: string | null
  resolve: Resolve
  operations: ApiOperation[]
}

/** Operation or webhook. A webhook has the method `WEBHOOK` and its name as path. */
export type ApiOperation = {
  document: ApiDocument
  /** HTTP method in upper case. */
  method: string
  path: string
  /** Never empty. */
  title: string
  tag: string | null
  isDeprecated: boolean
  isHidden: boolean
  item: Data
  data: Data
}

const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace', 'query'] as const

/** Parses JSON or YAML. Throws a sentence fragment for the report. */
export const parseApiDocument = (file: string, content: Buffer): ApiDocument => {
  const root = asData(parseText(file, content))
  const version = toText(root['openapi'])
  if (version === null)
    throw new Error(
      root['swagger'] === undefined ? 'it is no OpenAPI document' : 'only OpenAPI 3 is understood, and it is older',
    )
  if (!version.startsWith('3.')) throw new Error(`only OpenAPI 3 is understood, and it is ${version.slice(0, 20)}`)
  const document: ApiDocument = {
    file,
    digest: createHash('sha256').update(content).digest('hex'),
    root,
    title: toLine(asData(root['info'])['title']),
    resolve: createResolver(root),
    operations: [],
  }
  for (const [path, value] of Object.entries(asData(root['paths']))) addOperations(document, path, value, false)
  for (const [name, value] of Object.entries(asData(root['webhooks']))) addOperations(document, name, value, true)
  return document
}

const parseText = (file: string, content: Buffer): unknown => {
  // The address of a document may have no file extension.
  const isJson =
    /\.json$/i.test(file) || (!/\.ya?ml$/i.test(file) && /^\uFEFF?\s*\{/.test(content.toString('utf8', 0, 200)))
  if (!isJson && content.length > apiLimits.yamlBytes)
    throw new Error(`as YAML it may have ${apiLimits.yamlBytes / 1024 / 1024} MB; as JSON more`)
  try {
    const text = decodeSourceText(content).text ?? ''
    // Allows no custom tags and limits aliases. Does not check for equal keys, which takes quadratic time.
    return isJson
      ? JSON.parse(text)
      : parse(text, { schema: 'core', merge: true, uniqueKeys: false, maxAliasCount: 100, logLevel: 'silent' })
  } catch {
    throw new Error(`it is not valid ${isJson ? 'JSON' : 'YAML'}, or too deep to read`)
  }
}

const addOperations = (document: ApiDocument, path: string, value: unknown, isWebhook: boolean) => {
  const item = asData(document.resolve(value).value)
  for (const method of methods) {
    const data = item[method]
    if (!isData(data) || data['x-excluded'] === true) continue
    document.operations.push({
      document,
      method: isWebhook ? 'WEBHOOK' : method.toUpperCase(),
      path,
      title:
        findTitle(data) ??
        (isWebhook ? (toLine(path, 120) ?? 'Webhook') : `${method.toUpperCase()} ${toLine(path, 120) ?? '/'}`),
      tag: toLine(asList(data['tags'])[0], 80),
      isDeprecated: data['deprecated'] === true,
      isHidden: data['x-hidden'] === true,
      item,
      data,
    })
  }
}

const findTitle = (data: Data) => {
  const metadata = asData(asData(data['x-mint'])['metadata'])
  return toLine(metadata['title'], 120) ?? toLine(data['summary'], 120) ?? toSentence(toLine(data['operationId'], 120))
}

/** `listThings` and `list_things` → `List things`. */
const toSentence = (name: string | null) => {
  const words = name
    ?.replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase()
  return words ? words[0]!.toUpperCase() + words.slice(1) : null
}
