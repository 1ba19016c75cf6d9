import type { LeftOut, SourceFolder } from '@docket/sources/source-folder'
import { count } from '@docket/sources/text'
import { asData, isData } from '#site/data.ts'
import { apiLimits } from '#openapi/limits.ts'
import { nameFile } from '#site/folder-tree.ts'
import { readFrontMatter } from '#site/front-matter.ts'
import type { ReadRemoteFile } from '#site/remote-file.ts'
import { markWord } from '#site/words.ts'
import type { NavNode, SourcePage } from '#site/source-page.ts'
import type { ApiOperation } from './api-document.ts'
import { createApiDocuments, type ApiDocuments, type ApiScope, findSchema, type ApiSchema } from './api-documents.ts'
import { listNames, noteMissingChannel, findApiDocuments, isSample } from './find-documents.ts'
import { replaceOperations } from './docs-json-operations.ts'
import { createOperationPages, tellApart, type OperationPages } from './operation-pages.ts'

export type ApiReference = {
  docs: unknown
  /** New pages, and source pages with a title or problem from their operation. */
  pages: SourcePage[]
  operations: ReadonlyMap<string, ApiOperation>
  schemas: ReadonlyMap<string, ApiSchema>
  nav: NavNode[]
  leftOut: LeftOut[]
}

/** Reads OpenAPI documents that docs.json (null if missing) and pages refer to. */
export const readApiReference = async (
  folder: SourceFolder,
  sitePages: ReadonlyMap<string, SourcePage>,
  docs: unknown,
  readRemote: ReadRemoteFile,
): Promise<ApiReference> => {
  const found = await findApiDocuments(folder)
  const documents = createApiDocuments(folder, found.openapi, readRemote)
  documents.problems.push(...found.leftOut)
  const pages = createOperationPages((path) => sitePages.has(path))
  const describing = [...sitePages.values()].filter(({ openapi }) => openapi !== null)
  const settings = asData(docs)
  const setting = asData(settings['api'])['openapi'] ?? settings['openapi']
  const isAlone = docs === null
  // Only documents that docs.json names get pages. The others still provide operations that pages name.
  const scope = isAlone
    ? await documents.readFound(found.openapi.filter((file) => !isSample(file)))
    : await documents.readScope(setting)

  const changed = []
  for (const page of describing) {
    const operation = await documents.find(page.openapi!, scope)
    if (operation) pages.adopt(operation, page.path)
    changed.push(
      operation ? addOperationTitle(page, operation) : noteMissingPart(page, 'operation', page.openapi!, documents),
    )
  }
  for (const page of sitePages.values())
    if (page.asyncapi !== null) changed.push(noteMissingChannel(page, page.asyncapi))
  const schemas = new Map<string, ApiSchema>()
  for (const page of sitePages.values()) {
    if (page.schema === null) continue
    const schema = await findSchema(page, await documents.widen(scope), documents)
    if (schema) schemas.set(page.path, schema)
    else changed.push(noteMissingPart(page, 'schema', page.schema, documents))
  }
  const unplaced: LeftOut[] = []
  const channels = new Set([...found.asyncapi, ...listNames(asData(settings['api'])['asyncapi'])])
  const expanded = isData(docs)
    ? {
        ...docs,
        navigation: await replaceOperations(docs['navigation'], scope, { documents, pages, unplaced, channels }),
      }
    : docs
  const nav = listUnplaced(scope, pages, isAlone)
  const newPages = [...pages.newPages].map(([path, operation]) => toPage(path, operation))
  return {
    docs: expanded,
    pages: [...changed, ...newPages],
    operations: pages.byPath,
    schemas,
    nav,
    leftOut: [
      ...documents.problems,
      ...documents.repeats,
      ...unplaced,
      ...[...channels].map((file) => ({
        file,
        reason: 'it describes an API of messages (AsyncAPI), and its channels have no pages',
      })),
      ...found.output.filter(({ file }) => !documents.read.has(file)),
      ...listExcluded(documents),
      ...listUnused(found.openapi, documents, pages, isAlone),
    ],
  }
}

const listExcluded = ({ read }: ApiDocuments): LeftOut[] =>
  [...new Set(read.values())].flatMap((document) => {
    if (!document?.excluded[0]) return []
    const names = `${count(document.excluded.length, 'operation')}, such as ${document.excluded[0]}`
    return [{ file: document.file, reason: `its \`x-excluded\` leaves out ${names}` }]
  })

/** Documents of which some operations have no page, with the reason. */
const listUnused = (
  found: readonly string[],
  { read, problems, repeats }: ApiDocuments,
  { hasPage, refused }: OperationPages,
  isAlone: boolean,
): LeftOut[] => {
  const [unread, repeated] = [problems, repeats].map((lines) => new Set(lines.map(({ file }) => file)))
  return [...new Set([...found, ...read.keys()])].flatMap((file) => {
    const document = read.get(file)
    const all = document?.operations ?? []
    const without = all.filter((operation) => !hasPage(operation))
    if (document ? without.length === 0 || repeated!.has(file) : unread!.has(file)) return []
    const part =
      without.length < all.length ? `${without.length} of its ${count(all.length, 'operation')}` : 'its operations'
    const cause = without.some((operation) => refused.has(operation))
      ? `a site has pages for at most ${apiLimits.operations}`
      : isAlone
        ? 'it is among tests or examples'
        : 'neither the navigation nor a page names them'
    return [{ file, reason: `${part} have no pages: ${cause}` }]
  })
}

const listUnplaced = (scope: ApiScope, pages: OperationPages, isAlone: boolean): NavNode[] => {
  const used = new Set([...pages.byPath.values()].map(({ document }) => document))
  const adopted = new Set(pages.byPath.keys())
  const documents = scope.documents.filter((document) => isAlone || !used.has(document))
  const names = tellApart(
    documents.map((document) => ({
      title: (scope.documents.length > 1 ? document.title : null) ?? markWord('apiReference'),
      document,
    })),
  )
  return documents.flatMap((document, index) => {
    const nodes = pages.listGroups(document, scope.directory).flatMap(({ title, paths }): NavNode[] => {
      const children = paths.filter((path) => !adopted.has(path)).map((path): NavNode => ({ kind: 'page', path }))
      if (children.length === 0) return []
      return title === null ? children : [{ kind: 'group', title, isTab: false, children }]
    })
    return nodes.length === 0 ? [] : [{ kind: 'group', title: names[index]!, isTab: false, children: nodes }]
  })
}

const noteMissingPart = (
  page: SourcePage,
  part: 'operation' | 'schema',
  name: string,
  documents: ApiDocuments,
): SourcePage => {
  const cause = documents.explain(name)
  const because = cause === null ? '' : `. Left out: ${cause}`
  const problem = page.problem ?? `its ${part} is in no OpenAPI document${because}`
  return { ...page, operation: null, missing: { part, name }, problem }
}

const addOperationTitle = (page: SourcePage, operation: ApiOperation): SourcePage => {
  const base = { ...page, operation: null }
  return page.title === nameFile(page.file) ? { ...base, title: operation.title, isTitleFixed: true } : base
}

const toPage = (path: string, operation: ApiOperation): SourcePage => {
  const { body: _, ...blank } = readFrontMatter('')
  return { ...blank, path, file: operation.document.file, title: operation.title, isTitleFixed: true }
}
