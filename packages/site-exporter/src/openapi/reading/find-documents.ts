import type { SourceFolder } from '@docket/sources/source-folder'
import { apiLimits } from '#openapi/limits.ts'
import { decodeSourceText } from '#site/decode-text.ts'
import { isData, asText } from '#site/data.ts'
import { createOutputRule, isApiDocumentName } from '#site/page-paths.ts'
import type { SourcePage } from '#site/source-page.ts'
import { maxNavigationDepth } from './docs-json-operations.ts'

export type FoundDocuments = { openapi: string[]; asyncapi: string[] }

const maxFiles = 500
/** Maximum size of all files that are searched. Bytes. */
const maxBytes = 64 * 1024 * 1024

/** Finds all documents in a folder by the key at their root. */
export const findApiDocuments = async (folder: Pick<SourceFolder, 'files' | 'read'>): Promise<FoundDocuments> => {
  const found: FoundDocuments = { openapi: [], asyncapi: [] }
  const findOutput = createOutputRule([...folder.files])
  const likely = [...folder.files]
    .filter((file) => mayDescribeApi(file) && findOutput(file) === null)
    .toSorted((a, b) => rankFile(a) - rankFile(b) || (a < b ? -1 : 1))
  let left = maxBytes
  for (const file of likely.slice(0, maxFiles)) {
    if (left <= 0 || found.openapi.length >= apiLimits.documents) break
    const isJson = file.endsWith('.json')
    const content = await folder.read(file, Math.min(left, isJson ? apiLimits.jsonBytes : apiLimits.yamlBytes))
    left -= content?.length ?? 0
    // A file with a usual name is reported if it is not an OpenAPI document.
    const usual = isApiDocumentName(file) ? 'openapi' : null
    const kind = content === null ? usual : (findKind(decodeSourceText(content).text ?? '', isJson) ?? usual)
    if (kind !== null) found[kind].push(file)
  }
  return found
}

const mayDescribeApi = (file: string) => /\.(?:json|ya?ml)$/.test(file) && !knownFiles.test(file)
const knownFiles =
  /(?:^|\/)(?:docs|mint|package|package-lock|tsconfig[^/]*|composer|_category_|versions|vercel|lerna|nx|turbo)\.json$|(?:^|\/)(?:pnpm-lock|pnpm-workspace|mkdocs|docker-compose[^/]*|_config)\.ya?ml$/

const rankFile = (file: string) =>
  (isApiDocumentName(file) ? 0 : /openapi|swagger|asyncapi|api/i.test(file) ? 100 : 200) + file.split('/').length

const key = /(["']?)(openapi|swagger|asyncapi)\1\s*:/
const yamlKey = new RegExp(`^${key.source}`, 'm')

const findKind = (text: string, isJson: boolean): keyof FoundDocuments | null => {
  const start = text.slice(0, 200).trimStart()
  if (!isJson && !start.startsWith('{')) return toKind(yamlKey.exec(text)?.[2])
  if (!key.test(text)) return null
  try {
    const root: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    return isData(root) ? toKind(['openapi', 'swagger', 'asyncapi'].find((name) => Object.hasOwn(root, name))) : null
  } catch {
    return null
  }
}

const toKind = (name: string | undefined): keyof FoundDocuments | null =>
  name === undefined ? null : name === 'asyncapi' ? 'asyncapi' : 'openapi'

/** True for examples and tests, which are not part of the API reference unless a page names their operations. */
export const isSample = (file: string): boolean =>
  /(?:^|\/)(?:__tests__|tests?|fixtures?|examples?|samples?|mocks?|templates?)\//i.test(file)

const maxNamed = 50
const asyncReason = 'it describes an API of messages (AsyncAPI), and its channels have no pages'

export const listAsyncDocuments = (docs: unknown, files: readonly string[]): { file: string; reason: string }[] => {
  const names = new Set(files)
  const walk = (value: unknown, depth: number) => {
    if (depth > maxNavigationDepth) return
    if (Array.isArray(value)) for (const item of value as unknown[]) walk(item, depth + 1)
    if (!isData(value)) return
    for (const [key, item] of Object.entries(value)) {
      if (key === 'asyncapi') for (const name of listNames(item)) names.add(name.replace(/^\.?\//, ''))
      else walk(item, depth + 1)
    }
  }
  walk(docs, 0)
  return [...names].slice(0, maxNamed).map((file) => ({ file: file.slice(0, 200), reason: asyncReason }))
}

export const noteMissingChannel = (page: SourcePage, channel: string): SourcePage => ({
  ...page,
  missing: `The channel \`${channel}\` is described as AsyncAPI, which this copy does not show.`,
  problem: page.problem ?? 'its channel is described as AsyncAPI, which has no pages',
})

/** Reads a name, a list, or `{ source }`. */
const listNames = (value: unknown): string[] =>
  (Array.isArray(value) ? (value as unknown[]) : [value]).flatMap(
    (item) => asText(isData(item) ? item['source'] : item) ?? [],
  )
