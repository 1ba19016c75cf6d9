import { createHash } from 'node:crypto'
import { isLfsPointer, lfsReason } from '@docket/sources/git/lfs-pointer'
import { count, toLine, toText } from '@docket/sources/text'
import { parse } from 'yaml'
import { decodeSourceText } from '#site/decode-text.ts'
import { asData, isData, asList, type Data } from '#site/data.ts'
import { apiLimits, formatMegabytes } from '#openapi/limits.ts'
import { createResolver, type Resolve } from './references.ts'

export type ApiDocument = {
  file: string
  digest: string
  root: Data
  title: string | null
  version: string | null
  resolve: Resolve
  operations: ApiOperation[]
  /** Operations by method and path. */
  byName: Map<string, ApiOperation>
  /** Reasons why some of its operations are left out. */
  problems: string[]
  /** Names of the operations that it keeps out of the documentation. */
  excluded: string[]
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
  if (isLfsPointer(content)) throw new Error(lfsReason)
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
    version: toLine(asData(root['info'])['version'], 40),
    resolve: createResolver(root),
    operations: [],
    byName: new Map(),
    problems: [],
    excluded: [],
  }
  const unread = [
    ...Object.entries(asData(root['paths'])).flatMap(([path, item]) => addOperations(document, path, item, false)),
    ...Object.entries(asData(root['webhooks'])).flatMap(([name, item]) => addOperations(document, name, item, true)),
  ]
  if (unread.length > 0)
    document.problems.push(`${count(unread.length, 'path')} of it cannot be read, such as ${unread[0]!}`)
  return document
}

/** The title, the version and the operations of a document as text. */
export const outlineDocument = ({ title, version, operations }: ApiDocument): string =>
  JSON.stringify([title, version, operations.map(({ method, path }) => `${method} ${path}`).toSorted()])

/** Outline of YAML in block style, a hundred times as fast as parsing all of it. Null for other YAML. */
export const outlineYaml = (content: Buffer): string | null => {
  let section: string | undefined
  const lines = content
    .toString('utf8')
    .split('\n')
    .filter((line) => {
      const indent = line.search(/\S/)
      if (indent === 0) section = /^(openapi|info|paths|webhooks)\s*:/.exec(line)?.[1]
      return section === 'info' || (section !== undefined && indent <= 4 && line[indent] !== '-')
    })
  try {
    const outline = lines.map((line) => line.replace(/^( {4}[a-z]+:)\s*$/, '$1 {}')).join('\n')
    return outlineDocument(parseApiDocument('outline.yaml', Buffer.from(outline)))
  } catch {
    return null
  }
}

const parseText = (file: string, content: Buffer): unknown => {
  // The address of a document may have no file extension.
  const isJson =
    /\.json$/i.test(file) || (!/\.ya?ml$/i.test(file) && /^\uFEFF?\s*\{/.test(content.toString('utf8', 0, 200)))
  if (!isJson && content.length > apiLimits.yamlBytes)
    throw new Error(`as YAML it may have ${formatMegabytes(apiLimits.yamlBytes)}; as JSON more`)
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

/** Returns the reason when the path refers to what cannot be read. */
const addOperations = (document: ApiDocument, path: string, value: unknown, isWebhook: boolean): string[] => {
  const resolved = document.resolve(value)
  const item = asData(resolved.value)
  for (const method of methods) {
    const data = item[method]
    const isExcluded = asData(data)['x-excluded'] === true
    if (isExcluded) document.excluded.push(`${method.toUpperCase()} ${toLine(path, 120) ?? '/'}`)
    if (!isData(data) || isExcluded) continue
    const operation: ApiOperation = {
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
    }
    document.operations.push(operation)
    document.byName.set(toOperationKey(operation.method, path), operation)
  }
  return resolved.problem === null ? [] : [`${toLine(path, 120) ?? '/'}: ${resolved.problem}`]
}

export const toOperationKey = (method: string, path: string): string =>
  `${method.toUpperCase()} ${path.trim().replace(/(?<=.)\/$/, '')}`

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
