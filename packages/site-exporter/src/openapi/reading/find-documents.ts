import type { LeftOut, SourceFolder } from '@docket/sources/source-folder'
import { count } from '@docket/sources/text'
import { apiLimits, formatMegabytes } from '#openapi/limits.ts'
import { decodeSourceText } from '#site/decode-text.ts'
import { isData, asText } from '#site/data.ts'
import { createOutputRule, isApiDocumentName } from '#site/page-paths.ts'
import type { SourcePage } from '#site/source-page.ts'

/** `output`: files in folders of build output whose names are those of OpenAPI documents. */
export type FoundDocuments = { openapi: string[]; asyncapi: string[]; output: LeftOut[]; leftOut: LeftOut[] }

/** Finds all documents in a folder by the key at their root. */
export const findApiDocuments = async (folder: Pick<SourceFolder, 'files' | 'read'>): Promise<FoundDocuments> => {
  const found: FoundDocuments = { openapi: [], asyncapi: [], output: [], leftOut: [] }
  const findOutput = createOutputRule([...folder.files])
  const data = [...folder.files].filter((file) => /\.(?:json|ya?ml)$/.test(file))
  for (const file of data.filter((name) => /(?:openapi|swagger)[^/]*$/i.test(name))) {
    const output = findOutput(file)
    if (output !== null) found.output.push({ file, reason: output.reason.replace('a page', 'read') })
  }
  const likely = data
    .filter((file) => findOutput(file) === null)
    .toSorted((a, b) => rankFile(a) - rankFile(b) || (a < b ? -1 : 1))
  const unsearched: string[] = []
  let left: number = apiLimits.searchedBytes
  for (const file of likely) {
    const content = left > 0 ? await folder.read(file, Math.min(left, apiLimits.searchedFileBytes)) : null
    left -= content?.length ?? 0
    // A file with a usual name is reported if it is not an OpenAPI document.
    const usual = isApiDocumentName(file) ? 'openapi' : null
    const kind =
      content === null ? usual : (findKind(decodeSourceText(content).text ?? '', file.endsWith('.json')) ?? usual)
    if (kind !== null) found[kind].push(file)
    else if (content === null) unsearched.push(file)
  }
  const [first, ...others] = unsearched
  const and = others.length > 0 ? ` (and ${count(others.length, 'other file')})` : ''
  const limits = `${formatMegabytes(apiLimits.searchedFileBytes)} each, ${formatMegabytes(apiLimits.searchedBytes)} in total`
  if (first !== undefined)
    found.leftOut.push({ file: first, reason: `it is not searched for an OpenAPI document${and}: at most ${limits}` })
  return found
}

const rankFile = (file: string) =>
  (isApiDocumentName(file) ? 0 : /openapi|swagger|asyncapi|api/i.test(file) ? 100 : 200) + file.split('/').length

const yamlKey = /^(["']?)(openapi|swagger|asyncapi)\1\s*:\s*["']?\d/m
const jsonKey = /"(openapi|swagger|asyncapi)"\s*:\s*"?\d/
const firstJsonKey = new RegExp(`^\\uFEFF?\\s*\\{\\s*${jsonKey.source}`)

const findKind = (text: string, isJson: boolean): 'openapi' | 'asyncapi' | null => {
  if (!isJson && !text.slice(0, 200).trimStart().startsWith('{')) return toKind(yamlKey.exec(text)?.[2])
  // Only a document that begins with another key has to be parsed.
  const first = (text.length > apiLimits.jsonBytes ? jsonKey : firstJsonKey).exec(text)?.[1]
  if (first !== undefined || !jsonKey.test(text)) return toKind(first)
  try {
    const root: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    return isData(root) ? toKind(['openapi', 'swagger', 'asyncapi'].find((name) => Object.hasOwn(root, name))) : null
  } catch {
    return toKind(jsonKey.exec(text)?.[1])
  }
}

const toKind = (name: string | undefined) => (name === undefined ? null : name === 'asyncapi' ? 'asyncapi' : 'openapi')

/** True for examples and tests, which are not part of the API reference unless a page names their operations. */
export const isSample = (file: string): boolean =>
  /(?:^|\/)(?:__tests__|tests?|fixtures?|examples?|samples?|mocks?|templates?)\//i.test(file)

export const noteMissingChannel = (page: SourcePage, channel: string): SourcePage => ({
  ...page,
  missing: { part: 'channel', name: channel },
  problem: page.problem ?? 'its channel is described as AsyncAPI, which has no pages',
})

/** Reads a setting: a name, a list, or `{ source }`. */
export const listNames = (value: unknown): string[] =>
  (Array.isArray(value) ? (value as unknown[]) : [value]).flatMap(
    (item) => asText(isData(item) ? item['source'] : item)?.replace(/^\.?\//, '') ?? [],
  )
