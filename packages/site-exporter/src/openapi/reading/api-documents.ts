import { posix } from 'node:path'
import type { LeftOut, SourceFolder } from '@docket/sources/source-folder'
import { count, toText } from '@docket/sources/text'
import { asData, asList, readOwn } from '#site/data.ts'
import { apiLimits, formatMegabytes } from '#openapi/limits.ts'
import { apiDirectory } from '#site/page-paths.ts'
import type { ReadRemoteFile } from '#site/remote-file.ts'
import {
  outlineDocument,
  outlineYaml,
  parseApiDocument,
  toOperationKey,
  type ApiDocument,
  type ApiOperation,
} from './api-document.ts'
import type { SourcePage } from '#site/source-page.ts'

export type ApiScope = { documents: readonly ApiDocument[]; directory: string }

export const isOperationName = (text: string): boolean => operationName.test(text)

const operationName =
  /^(?:(\S+\.(?:json|ya?ml)|[\w./-]+)\s+)?(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|QUERY|WEBHOOK)\s+(\S.*)$/i

const ending = /\.(?:json|ya?ml)$/

/** Creates the documents of a folder, of which `found` are those that nothing may name. Reports remote documents that `readRemote` does not read. */
export const createApiDocuments = (folder: SourceFolder, found: readonly string[], readRemote: ReadRemoteFile) => {
  const read = new Map<string, ApiDocument | null>()
  const problems: LeftOut[] = []
  const repeats: LeftOut[] = []
  let left: number = apiLimits.readBytes

  const readContent = async (file: string): Promise<Buffer> => {
    if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(file)) {
      const answer = /^https?:/i.test(file) ? await readRemote(file, apiLimits.jsonBytes) : null
      if (answer === null) throw new Error('it is on another host, and this export reads nothing from there')
      if ('problem' in answer) throw new Error(`it is on another host: ${answer.problem}`)
      return answer.content
    }
    if (!folder.files.has(file)) throw new Error('there is no such OpenAPI document in the folder')
    const content = await folder.read(file, apiLimits.jsonBytes)
    if (!content) throw new Error(`it cannot be read, or has more than ${formatMegabytes(apiLimits.jsonBytes)}`)
    return content
  }
  /** Reads a document once. A YAML file with the outline of another document stands for that one. */
  const load = async (name: string, outlines: ReadonlyMap<string, ApiDocument> = new Map()) => {
    const file = /^https?:/i.test(name) ? name : posix.normalize(name).replace(/^\/+/, '')
    const known = read.get(file)
    if (known !== undefined) return known
    read.set(file, null)
    try {
      const content = await readContent(file)
      const mayRepeat = outlines.size > 0 && !file.endsWith('.json')
      const outline = mayRepeat ? outlineYaml(content) : null
      const first = outline === null ? undefined : outlines.get(outline)
      if (!first && content.length > left)
        throw new Error(`with it, the OpenAPI documents would have more than ${formatMegabytes(apiLimits.readBytes)}`)
      const document = first ?? parseApiDocument(file.replace(/(?<=^https?:.*)[?#].*$/is, ''), content)
      const twin = first ?? (mayRepeat ? outlines.get(outlineDocument(document)) : undefined)
      if (twin) repeats.push({ file, reason: `it has the title, version and operations of ${twin.file}` })
      else {
        left -= content.length
        problems.push(...document.problems.map((reason) => ({ file, reason })))
      }
      read.set(file, twin ?? document)
    } catch (error) {
      problems.push({ file, reason: error instanceof Error ? error.message : 'it cannot be read' })
    }
    return read.get(file) ?? null
  }
  /** Reads documents that nothing names; of a JSON file and a YAML file with the same operations, only the JSON file. */
  const readFound = async (files: readonly string[]): Promise<ApiScope> => {
    const outlines = new Map<string, ApiDocument>()
    for (const file of files.filter((name) => name.endsWith('.json'))) {
      const document = await load(file)
      if (document && document.operations.length > 0) outlines.set(outlineDocument(document), document)
    }
    const documents = new Set<ApiDocument>()
    for (const file of files) {
      const document = await load(file, outlines)
      if (document) documents.add(document)
    }
    return { documents: [...documents], directory: apiDirectory }
  }
  /** Reads an `openapi` setting: a name, a list, or `{ source, directory }`. */
  const readScope = async (setting: unknown): Promise<ApiScope> => {
    const documents: ApiDocument[] = []
    let directory: string = apiDirectory
    for (const item of Array.isArray(setting) ? asList(setting) : [setting]) {
      const name = toText(asData(item)['source']) ?? toText(item)
      directory = toText(asData(item)['directory']) ?? directory
      const document = name === null ? null : await load(name)
      if (document && !documents.includes(document)) documents.push(document)
    }
    return { documents, directory }
  }
  /** Documents with a name, which may lack its file extension. */
  const listNamed = async (name: string, { documents }: ApiScope): Promise<readonly ApiDocument[]> => {
    if (!ending.test(name)) return documents.filter(({ file }) => `/${file.replace(ending, '')}`.endsWith(`/${name}`))
    const document = await load(name)
    return document ? [document] : []
  }
  let others: Promise<ApiScope> | null = null
  /** Adds the documents that nothing names, which are read only if an operation or schema is missing in the others. */
  const widen = async (scope: ApiScope): Promise<ApiScope> => {
    const { documents } = await (others ??= readFound(found))
    return { ...scope, documents: [...new Set([...scope.documents, ...documents])] }
  }
  const findIn = async (text: string, scope: ApiScope): Promise<ApiOperation | null> => {
    const [, name, method = '', path = ''] = operationName.exec(text.slice(0, 1_000)) ?? []
    const documents = name === undefined ? scope.documents : await listNamed(name, scope)
    const key = toOperationKey(method, path)
    return documents.find(({ byName }) => byName.has(key))?.byName.get(key) ?? null
  }
  return {
    readScope,
    readFound,
    widen,
    read: read as ReadonlyMap<string, ApiDocument | null>,
    problems,
    repeats,
    /** Finds the operation for `GET /things`, `api.json GET /things`, `api GET /things` or `webhook name`. */
    find: async (text: string, scope: ApiScope): Promise<ApiOperation | null> =>
      (await findIn(text, scope)) ?? findIn(text, await widen(scope)),
    /** What is left out of the documents that may have the operation or schema `text`. Null if they are read in full. */
    explain: (text: string): string | null => {
      const name = /^\S*/
        .exec(text)![0]
        .replace(/^\.?\/+/, '')
        .replace(ending, '')
      const named = problems.filter(({ file }) => `/${file.replace(ending, '')}`.endsWith(`/${name}`))
      const [first, ...others] = named.length > 0 ? named : problems
      return first === undefined
        ? null
        : `${first.file}: ${first.reason}${others.length > 0 ? ` (and ${count(others.length, 'other reason')} in the report)` : ''}`
    },
  }
}

/** OpenAPI documents of a source, each read once. `problems` lists what is left out, `repeats` the copies. */
export type ApiDocuments = ReturnType<typeof createApiDocuments>

export type ApiSchema = { document: ApiDocument; name: string; value: unknown }

/** Finds the schema that `openapi-schema` of a page names: `Thing`, or `api.json Thing`. */
export const findSchema = async (
  { schema }: SourcePage,
  scope: ApiScope,
  documents: ApiDocuments,
): Promise<ApiSchema | null> => {
  const [, file, name = ''] = /^(?:(\S+\.(?:json|ya?ml))\s+)?(\S.*)$/i.exec(schema ?? '') ?? []
  const only = file === undefined ? null : await documents.readScope(file)
  for (const document of (only ?? scope).documents) {
    const value = readOwn(readOwn(document.root['components'], 'schemas'), name)
    if (value !== undefined) return { document, name, value: { $ref: `#/components/schemas/${escapePointer(name)}` } }
  }
  return null
}

const escapePointer = (name: string) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))
