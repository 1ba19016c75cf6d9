import type { ElementContent } from 'hast'
import type { Note } from '#markdown/page-notes.ts'
import type { ApiSchema } from '#openapi/reading/read-schemas.ts'
import { codeBlock, exampleCode } from './bodies.ts'
import { buildExample } from './example.ts'
import { pageContext } from './page-context.ts'
import { schemaTree } from './schema-tree.ts'

/** Renders a schema with an example below the text of its page. */
export const renderSchemaPage = ({ document, value }: ApiSchema, note: Note): ElementContent[] => {
  const context = pageContext(document.resolve, note)
  return [
    ...schemaTree(value, context),
    codeBlock(exampleCode(buildExample(value, 'response', context)), 'json', 'Example'),
  ]
}
