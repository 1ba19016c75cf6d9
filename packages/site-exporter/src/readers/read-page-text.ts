import type { PagePieces } from '#markdown/mdx/page-pieces.ts'
import { asData, asText } from '#site/data.ts'
import { limits } from '#site/limits.ts'
import { openVueTags, readPieces } from './read-pieces.ts'
import { includeFiles } from './includes.ts'
import type { PieceReader } from './piece-reader.ts'
import { includeSnippets } from './snippets.ts'
import type { SourceSite } from './source-site.ts'

const maxVariables = 500

export const readVariables = (docs: unknown): SourceSite['variables'] =>
  Object.entries(asData(asData(docs)['variables']))
    .slice(0, maxVariables)
    .flatMap(([name, value]) => {
      const text = typeof value === 'number' ? String(value) : asText(value)
      return /^[\w-]{1,100}$/.test(name) && text !== null ? [[name, text] as [string, string]] : []
    })

export const readPageText = async (
  reader: PieceReader,
  { root, dialect, variables }: Pick<SourceSite, 'root' | 'dialect' | 'variables'>,
  file: string,
  body: string,
): Promise<{ body: string; pieces: PagePieces }> => {
  // MDX evaluates its imports later. Plain Markdown gets them inlined as text.
  const isMdx = /\.mdx$/i.test(file) || dialect === 'docusaurus'
  const included = await includeFiles(reader, root, file, isMdx ? body : await includeSnippets(reader, file, body))
  const opened = dialect === 'vitepress' ? openVueTags(included) : included
  const pieces = await readPieces(reader, root, file, opened, dialect)
  const fill = (text: string) => fillVariables(text, variables)
  return {
    body: fill(opened),
    pieces: {
      ...pieces,
      pieces: pieces.pieces.map((piece) => ({
        ...piece,
        source: piece.source !== null && /\.mdx?$/i.test(piece.file) ? fill(piece.source) : piece.source,
      })),
    },
  }
}

/** Replaces `{{name}}`, even in code. Returns text that would grow too long unchanged. */
const fillVariables = (text: string, variables: SourceSite['variables']): string => {
  if (variables.length === 0 || !text.includes('{{')) return text
  const values = new Map(variables)
  let length = text.length
  const filled = text.replace(/\{\{\s?([\w-]{1,100})\s?\}\}/g, (whole, name: string) => {
    const value = values.get(name)
    if (value === undefined) return whole
    length += value.length - whole.length
    return length > limits.pageBytes ? whole : value
  })
  return length > limits.pageBytes ? text : filled
}
