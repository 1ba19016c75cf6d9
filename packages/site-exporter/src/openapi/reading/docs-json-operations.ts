import type { LeftOut } from '@docket/sources/source-folder'
import { isData, type Data } from '#site/data.ts'
import { isOperationName, type ApiDocuments, type ApiScope } from './api-documents.ts'
import { listNames } from './find-documents.ts'
import { tellApart, type OperationPages } from './operation-pages.ts'

/** Maximum nesting of lists and objects in the navigation of docs.json. Real ones reach twenty. */
export const maxNavigationDepth = 40
export const listKeys = 'pages groups tabs anchors dropdowns versions products menu languages items'.split(' ')
export const branches = ['root', ...listKeys]

type Context = {
  documents: ApiDocuments
  pages: OperationPages
  /** Gets the operations that are unknown because a document is left out. */
  unplaced: LeftOut[]
  /** Gets the AsyncAPI documents. */
  channels: Set<string>
}

/** Replaces operations in a docs.json navigation by page paths and expands `openapi` elements without pages. Other unknown names are kept, so that they are reported. */
export const replaceOperations = async (
  navigation: unknown,
  outer: ApiScope,
  { documents, pages, unplaced, channels }: Context,
): Promise<unknown> => {
  const expand = async (value: unknown, scope: ApiScope, depth: number): Promise<unknown> => {
    if (depth > maxNavigationDepth) return null
    if (typeof value === 'string') {
      const operation = isOperationName(value) ? await documents.find(value, scope) : null
      if (operation) return pages.assignPath(operation, scope.directory)
      const cause = isOperationName(value) ? documents.explain(value) : null
      if (cause === null) return value
      unplaced.push({
        file: value,
        reason: `the navigation names it, and it is in no OpenAPI document. Left out: ${cause}`,
      })
      return null
    }
    if (Array.isArray(value)) {
      const items: unknown[] = []
      for (const item of value as unknown[]) items.push(await expand(item, scope, depth + 1))
      return items
    }
    return isData(value) ? expandElement(value, scope, depth) : value
  }

  const expandElement = async (element: Data, outside: ApiScope, depth: number) => {
    const scope = 'openapi' in element ? await documents.readScope(element['openapi']) : outside
    for (const name of listNames(element['asyncapi'])) channels.add(name)
    const expanded: Record<string, unknown> = {}
    for (const [key, value] of Object.entries(element)) {
      if (key !== '__proto__') expanded[key] = branches.includes(key) ? await expand(value, scope, depth + 1) : value
    }
    if ('openapi' in element && !Object.keys(element).some((key) => branches.includes(key))) {
      const groups = scope.documents.flatMap((document) => pages.listGroups(document, scope.directory))
      expanded['pages'] = groups.filter(({ title }) => title === null).flatMap(({ paths }) => paths)
      const named = groups.filter(({ title }) => title !== null)
      const names = tellApart(named)
      expanded['groups'] = named.map(({ paths }, index) => ({ group: names[index], pages: paths }))
    }
    return expanded
  }
  return expand(navigation, outer, 0)
}
