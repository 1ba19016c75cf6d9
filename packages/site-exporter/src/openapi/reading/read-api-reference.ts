import type { SourceFolder } from '@docket/sources/source-folder'
import { asData, isData } from '#site/data.ts'
import { apiLimits } from '#openapi/limits.ts'
import { toHumanName } from '#site/folder-tree.ts'
import { readFrontMatter } from '#site/front-matter.ts'
import type { ReadRemoteFile } from '#site/remote-file.ts'
import type { NavNode, SourcePage } from '#site/source-page.ts'
import type { ApiDocument, ApiOperation } from './api-document.ts'
import { createApiDocuments, type ApiDocuments, type ApiScope, findSchema, type ApiSchema } from './api-documents.ts'
import { listAsyncDocuments, noteMissingChannel, findApiDocuments, isSample } from './find-documents.ts'
import { replaceOperations } from './docs-json-operations.ts'
import { createOperationPages, type OperationPages } from './operation-pages.ts'

export type ApiReference = {
  docs: unknown
  /** New pages, and source pages with a title or problem from their operation. */
  pages: SourcePage[]
  operations: ReadonlyMap<string, ApiOperation>
  schemas: ReadonlyMap<string, ApiSchema>
  nav: NavNode[]
  leftOut: { file: string; reason: string }[]
}

/** Reads OpenAPI documents that docs.json (null if missing) and pages refer to. */
export const readApiReference = async (
  folder: SourceFolder,
  sitePages: ReadonlyMap<string, SourcePage>,
  docs: unknown,
  readRemote: ReadRemoteFile,
): Promise<ApiReference> => {
  const found = await findApiDocuments(folder)
  const documents = addFallbackDocuments(createApiDocuments(folder, readRemote), found.openapi)
  const pages = createOperationPages((path) => sitePages.has(path))
  const describing = [...sitePages.values()].filter(({ openapi }) => openapi !== null)
  const settings = asData(docs)
  const setting = asData(settings['api'])['openapi'] ?? settings['openapi']
  // Only documents that docs.json names get pages. The others still provide operations that pages name.
  const scope = await documents.readScope(
    setting ?? (docs === null ? found.openapi.filter((file) => !isSample(file)) : []),
  )

  const changed = []
  for (const page of describing) {
    const operation = await documents.find(page.openapi!, scope)
    if (operation) pages.adopt(operation, page.path)
    changed.push(
      operation ? addOperationTitle(page, operation) : noteMissingPart(page, `operation \`${page.openapi!}\``),
    )
  }
  for (const page of sitePages.values())
    if (page.asyncapi !== null) changed.push(noteMissingChannel(page, page.asyncapi))
  const schemas = new Map<string, ApiSchema>()
  for (const page of sitePages.values()) {
    if (page.schema === null) continue
    const schema = await findSchema(page, await documents.widen(scope), documents)
    if (schema) schemas.set(page.path, schema)
    else changed.push(noteMissingPart(page, `schema \`${page.schema}\``))
  }
  const expanded = isData(docs)
    ? { ...docs, navigation: await replaceOperations(docs['navigation'], scope, { documents, pages }) }
    : docs
  const nav = await listUnplaced(scope, pages, docs === null)
  const newPages = [...pages.newPages].map(([path, operation]) => toPage(path, operation))
  return {
    docs: expanded,
    pages: [...changed, ...newPages],
    operations: pages.byPath,
    schemas,
    nav,
    leftOut: [
      ...documents.problems,
      ...listAsyncDocuments(asData(docs), found.asyncapi),
      ...[...new Set([...pages.refused].map(({ document }) => document.file))].map((file) => ({
        file,
        reason: `a site may have pages for ${apiLimits.operations} operations; the others have none`,
      })),
    ],
  }
}

const listUnplaced = async (scope: ApiScope, pages: OperationPages, isAlone: boolean): Promise<NavNode[]> => {
  const used = new Set([...pages.byPath.values()].map(({ document }) => document))
  const adopted = new Set(pages.byPath.keys())
  return scope.documents
    .filter((document) => isAlone || !used.has(document))
    .flatMap((document) => {
      const nodes = pages.listGroups(document, scope.directory).flatMap(({ title, paths }): NavNode[] => {
        const children = paths.filter((path) => !adopted.has(path)).map((path): NavNode => ({ kind: 'page', path }))
        if (children.length === 0) return []
        return title === null ? children : [{ kind: 'group', title, isTab: false, children }]
      })
      return nodes.length === 0
        ? []
        : [{ kind: 'group', title: findGroupTitle(document, scope), isTab: false, children: nodes }]
    })
}

const findGroupTitle = (document: ApiDocument, scope: ApiScope) =>
  (scope.documents.length > 1 ? document.title : null) ?? 'API reference'

/** Also looks for operations in documents that nothing names, which are read only if an operation is missing in the others. */
const addFallbackDocuments = (documents: ApiDocuments, files: readonly string[]) => {
  let others: Promise<ApiScope> | null = null
  const widen = async (scope: ApiScope): Promise<ApiScope> => {
    const { documents: more } = await (others ??= documents.readScope(files))
    return { ...scope, documents: [...new Set([...scope.documents, ...more])] }
  }
  return {
    ...documents,
    widen,
    find: async (text: string, scope: ApiScope) =>
      (await documents.find(text, scope)) ?? documents.find(text, await widen(scope)),
  }
}

const noteMissingPart = (page: SourcePage, part: string): SourcePage => ({
  ...page,
  operation: null,
  missing: `The ${part} is in no API description that this copy could read, so it is not shown here.`,
  problem: page.problem ?? `its ${part.split(' ')[0]!} is in no OpenAPI document`,
})

const addOperationTitle = (page: SourcePage, operation: ApiOperation): SourcePage => {
  const fromFile = toHumanName(
    page.file
      .replace(/\.mdx?$/i, '')
      .split('/')
      .at(-1)!,
  )
  const base = { ...page, operation: null }
  return page.title === fromFile ? { ...base, title: operation.title, isTitleFixed: true } : base
}

const toPage = (path: string, operation: ApiOperation): SourcePage => {
  const { body: _, ...blank } = readFrontMatter('')
  return { ...blank, path, file: operation.document.file, title: operation.title, isTitleFixed: true }
}
