import { own } from '#site/data.ts'
import type { SourcePage } from '#site/source-page.ts'
import type { ApiDocument } from './api-document.ts'
import type { ApiDocuments, ApiScope } from './api-documents.ts'

/** Schema of a document that a page shows. */
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
    const value = own(own(document.root['components'], 'schemas'), name)
    if (value !== undefined) return { document, name, value: { $ref: `#/components/schemas/${escapePointer(name)}` } }
  }
  return null
}

const escapePointer = (name: string) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))
